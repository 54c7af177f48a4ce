import { type ReactNode, useEffect, useState } from 'react';
import { formatBytes, plural } from '../base/format';
import { forgetModels, type StoredModel, storedModels } from '../base/modelFolder';

/** Where the trace's model comes from, and what this browser stores of traces; it can be forgotten. */
export function StoredModels({ restored }: { readonly restored: boolean }): ReactNode {
  const [models, setModels] = useState<readonly StoredModel[]>([]);
  useEffect(() => {
    let wanted = true;
    storedModels().then((found) => {
      if (wanted) setModels(found);
    });
    return () => {
      wanted = false;
    };
  }, []);
  const bytes = models.reduce((sum, { size }) => sum + size, 0);
  const forget = async () => {
    await forgetModels();
    setModels(await storedModels());
  };
  return (
    <>
      {restored ? 'from the model that was stored when it was opened before' : 'from the file'}
      {models.length > 0 && (
        <>
          {'; '}
          {plural(models.length, 'model')} of large traces stored in this browser, {formatBytes(bytes)}{' '}
          <button type="button" onClick={forget} title="Remove the stored models of all traces from this browser">
            Forget
          </button>
        </>
      )}
    </>
  );
}
