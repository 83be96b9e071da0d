import type { HostAbilities } from '../../desk/deps.ts';
import { openDesk, type Desk } from '../../desk/desk.ts';
import { defaultConfigFolder } from '../../desk/folders.ts';
import { createFileSecretStore } from '../../desk/secretFile.ts';
import { AppError } from '../../../shared/errors.ts';
import { appVersion, samplePath } from './appFiles.ts';
import type { CommandContext } from './command.ts';

/** Runs `work` with the desk of the data folder open, and closes it whatever happens. */
export async function withDesk<T>(context: CommandContext, work: (desk: Desk) => Promise<T>): Promise<T> {
  const desk = await openDesk({
    dataFolder: context.dataFolder,
    abilities: createAbilities(context.dataFolder),
    // No window waits here, so work needs no thread of its own.
    runner: 'inline',
    appVersion: appVersion(),
    samplePath: samplePath(),
  });
  try {
    return await work(desk);
  } finally {
    await desk.close();
  }
}

function createAbilities(dataFolder: string): HostAbilities {
  const secrets = createFileSecretStore({
    configFolder: defaultConfigFolder(),
    dataFolder,
    environment: process.env,
  });
  return {
    info: { host: 'cli', canRevealInFolder: false, canPickFiles: false, secretStore: secrets.kind },
    protectSecret: secrets.protectSecret,
    revealSecret: secrets.revealSecret,
    async revealInFolder() {
      throw new AppError('ability_missing', 'The command line has no file manager to show a file in.');
    },
  };
}
