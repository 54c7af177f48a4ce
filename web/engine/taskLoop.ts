/**
 * Does a worker's work in turns. Every turn is a task of the event loop, so that queries which arrive meanwhile are known
 * before the next one. `turn` does one, and returns whether there is more to do. Returns the function that asks for a turn.
 */
export function taskLoop(turn: () => boolean): () => void {
  const { port1, port2 } = new MessageChannel();
  let asked = false;
  const ask = () => {
    if (asked) return;
    asked = true;
    port2.postMessage(null);
  };
  port1.onmessage = () => {
    asked = false;
    if (turn()) ask();
  };
  return ask;
}

/** Does all of a piece of work in turns: until `turn` returns false. Rejects with what it throws. */
export function inTurns(turn: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    taskLoop(() => {
      try {
        if (turn()) return true;
        resolve();
      } catch (error) {
        reject(error);
      }
      return false;
    })();
  });
}
