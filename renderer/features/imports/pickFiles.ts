import { importAccept, pickFromFolder, type PickedFiles } from './importFiles.ts';

function ask(set: (input: HTMLInputElement) => void): Promise<readonly File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    set(input);
    input.addEventListener('change', () => resolve(Array.from(input.files ?? [])), { once: true });
    input.addEventListener('cancel', () => resolve([]), { once: true });
    input.click();
  });
}

/** The system's file dialog; nothing chosen gives an empty list. Must be called from a click or key. */
export function pickFiles(options: { accept?: string; isSingle?: boolean } = {}): Promise<readonly File[]> {
  return ask((input) => {
    input.accept = options.accept ?? importAccept;
    input.multiple = !options.isSingle;
  });
}

/** The system's folder dialog; gives what in it can be imported. */
export async function pickFolder(): Promise<PickedFiles> {
  const files = await ask((input) => {
    input.webkitdirectory = true;
    input.multiple = true;
  });
  return pickFromFolder(files);
}
