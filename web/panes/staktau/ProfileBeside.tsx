import { type ReactNode, useMemo, useRef } from 'react';
import type { TimeWindow } from '../../base/units';
import { Fold } from '../../components/Fold';
import type { ComparedThread, Summary } from '../../engine/protocol';
import { type ComparedRow, comparedRows } from '../../page/calls/compared';
import type { Profile } from '../../page/calls/profile';
import { usePage } from '../context';
import { CopyMenu } from '../stats/CopyMenu';
import { ProfileTable, useProfileColumns } from './ProfileTable';

interface ProfileBesideProps {
  readonly profile: Profile;
  readonly threads: readonly ComparedThread[] | null;
  readonly summary: Summary;
  readonly window: TimeWindow | null;
  readonly busy: boolean;
}

/** A text of STaKTAU beside the trace, by thread and call. */
export function ProfileBeside({ profile, threads, summary, window, busy }: ProfileBesideProps): ReactNode {
  const page = usePage();
  const columns = useProfileColumns(true);
  const rows = useMemo(() => comparedRows(threads ?? []), [threads]);
  const listed = useRef<readonly ComparedRow[]>([]);
  return (
    <Fold name="staktau" title={`STaKTAU: ${profile.name}`}>
      <section aria-label={`STaKTAU: ${profile.name}`}>
        <div className="latency-by">
          <span className="spacer" />
          <CopyMenu
            summary={summary}
            what={`threads in calls beside ${profile.name}`}
            columns={columns}
            rows={listed}
            window={window}
          />
          <button type="button" className="button small" onClick={() => page.profiles.close()}>
            Close
          </button>
        </div>
        <ProfileTable profile={profile} rows={rows} columns={columns} listed={listed} busy={busy} />
      </section>
    </Fold>
  );
}
