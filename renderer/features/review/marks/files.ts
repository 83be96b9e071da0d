import type { Derived } from '../../../../shared/contract/derived.ts';
import { notifyFailure, notifyInfo, saveText } from '../../../ui/index.ts';
import type { Review } from '../model.ts';

/** Address of a derived file's bytes. */
export function derivedUrl({ host }: Pick<Review, 'host'>, derived: Pick<Derived, 'derivedId'>): string {
  return host.mediaUrl(`media/derived/${derived.derivedId}`);
}

/** Saves a derived file under its own name. */
export function downloadDerived(review: Pick<Review, 'host'>, derived: Derived): void {
  const link = document.createElement('a');
  link.href = derivedUrl(review, derived);
  link.download = derived.fileName;
  link.click();
}

/** Saves how a derived file came to be, as it also lies beside it in a package. */
export function downloadRecipe(derived: Derived): void {
  saveText(
    `${derived.fileName}.recipe.json`,
    `${JSON.stringify(derived.recipe, null, 2)}\n`,
    'application/json',
  );
}

/** Saves the telemetry of a trim's stretch as CSV; says so where the clip has none. Never rejects. */
export async function downloadTelemetry({ host }: Pick<Review, 'host'>, derived: Derived): Promise<void> {
  const { from: fromS, to: toS } = derived.recipe.actualS;
  try {
    const text = await host.client.invoke('derived.telemetryCsv', { clipId: derived.clipId, fromS, toS });
    if (text === null) notifyInfo('No telemetry', `${derived.recipe.source.fileName} holds none.`);
    else saveText(`${derived.fileName}.csv`, text, 'text/csv');
  } catch (thrown) {
    notifyFailure('The telemetry was not saved', thrown);
  }
}
