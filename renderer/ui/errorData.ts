import { errorCodes, toErrorData, type AppErrorData } from '../../shared/errors.ts';

function isErrorData(value: unknown): value is AppErrorData {
  if (typeof value !== 'object' || value === null || value instanceof Error) return false;
  const { code, message } = value as Partial<AppErrorData>;
  return typeof message === 'string' && errorCodes.some((known) => known === code);
}

/** What to show of an error, whether it was thrown or came as data inside a job or an outcome. */
export function errorDataOf(error: unknown): AppErrorData {
  return isErrorData(error) ? error : toErrorData(error);
}
