import type { ReactNode } from 'react';
import type { Profile } from '../../page/calls/profile';
import type { TraceIdentity } from '../../state/url/link';
import { ProfileAlone } from './ProfileAlone';

/** A text of STaKTAU that was opened without a trace, over the empty page. */
export function ProfileCard({
  profile,
  wanted,
  openFile,
}: {
  readonly profile: Profile;
  /** The trace for which a link waits. */
  readonly wanted: TraceIdentity | null;
  readonly openFile: () => void;
}): ReactNode {
  return (
    <div className="card-layer">
      <section className="card" aria-label={`Text of STaKTAU: ${profile.name}`}>
        <h2>{profile.name}: threads in system calls</h2>
        <ProfileAlone profile={profile} />
        <p>A trace that is opened now is shown with it, call by call, in its tab Syscalls.</p>
        {wanted && <p>The link is a view of “{wanted.name === '' ? 'a trace' : wanted.name}”, for which it waits.</p>}
        <div className="card-buttons">
          <button type="button" className="button primary" onClick={openFile}>
            Open trace…
          </button>
        </div>
      </section>
    </div>
  );
}
