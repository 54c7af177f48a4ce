/**
 * What Playwright takes for granted of WebDriver BiDi and Firefox (153 at least) does not do. A Firefox that does it is
 * left alone.
 */

const COLOUR_SCHEME = 'emulation.setMediaFeaturesOverride';

/** One connection: what Playwright sent is noted, and what Firefox says is filled in. */
export class BidiGaps {
  /** Ids of commands that ask for what is so anyway. @type {Set<number>} */
  #idle = new Set();

  /**
   * Playwright tells each page that it is light, whether a test asks for that or not, and opens no page without an answer.
   * @param {string} command
   */
  note(command) {
    if (!command.includes(COLOUR_SCHEME)) return;
    const { id, method, params } = JSON.parse(command);
    const scheme = params?.features?.['prefers-color-scheme'] ?? 'light';
    if (method === COLOUR_SCHEME && scheme === 'light') this.#idle.add(id);
  }

  /**
   * @param {string} message
   * @returns {string}
   */
  fill(message) {
    if (message.includes('"unknown command"')) {
      const { id } = JSON.parse(message);
      if (this.#idle.delete(id)) return JSON.stringify({ type: 'success', id, result: {} });
    } else if (message.includes('"browsingContext.download')) {
      // Playwright finds the end of a download by an id, which those of the page's own links do not have here.
      const event = JSON.parse(message);
      if (event.method?.startsWith('browsingContext.download')) {
        event.params.download ??= event.params.navigation ?? event.params.url;
        return JSON.stringify(event);
      }
    }
    return message;
  }
}
