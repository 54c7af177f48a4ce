import { type ReactNode, useMemo, useRef } from 'react';
import { writeClipboard } from '../../base/clipboard';
import { csvText } from '../../components/tableText';
import { aloneRows, type ComparedRow } from '../../page/calls/compared';
import type { Profile } from '../../page/calls/profile';
import { usePage } from '../context';
import { ProfileTable, useProfileColumns } from './ProfileTable';

/** A text of STaKTAU without a trace: its own table. */
export function ProfileAlone({ profile }: { readonly profile: Profile }): ReactNode {
  const page = usePage();
  const columns = useProfileColumns(false);
  const rows = useMemo(() => aloneRows(profile.text), [profile]);
  const listed = useRef<readonly ComparedRow[]>([]);
  const copy = async (): Promise<void> => {
    try {
      await writeClipboard(csvText(columns, listed.current));
      page.announce('The table is copied.');
    } catch {
      page.announce('The browser refused the clipboard.');
    }
  };
  return (
    <section className="profile-card" aria-label={`STaKTAU: ${profile.name}`}>
      <ProfileTable profile={profile} rows={rows} columns={columns} listed={listed} busy={false} />
      <p className="hint small">
        It holds wall time only: not whether a call worked, waited for a CPU or slept, how often it was made, or who
        ended it.
      </p>
      <div className="card-buttons">
        <button type="button" className="button small" onClick={() => void copy()}>
          Copy as CSV
        </button>
        <button type="button" className="button small" onClick={() => page.profiles.close()}>
          Close
        </button>
      </div>
    </section>
  );
}
