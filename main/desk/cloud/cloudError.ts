import { explainProblem } from '../../../shared/cloudProblem.ts';
import type { GpsExportJob } from '../../../shared/cloudResources.ts';
import { AppError } from '../../../shared/errors.ts';
import { CloudProblem } from '../../cloud/problem.ts';

/** A failed call as the contract carries it: the sentences of section 7, the whole problem under `details.problem`. */
export function toCloudError(problem: CloudProblem): AppError {
  const { what, todo } = explainProblem(problem);
  return new AppError('cloud_problem', what, {
    remedy: todo,
    details: { problem: problem.toData() },
    cause: problem,
  });
}

/** Runs work that calls the service, turning its problems into AppErrors. */
export async function withCloudErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof CloudProblem ? toCloudError(thrown) : thrown;
  }
}

/**
 * Both 409 codes that mean "another export runs" (4.3 rule 4), with the job that does: `export_in_progress` names it,
 * `concurrency_limit_exceeded` does not, so it is looked for. `findActive` may fail; the refusal is what counts.
 */
export async function explainRefusal(
  problem: CloudProblem,
  findActive: () => Promise<GpsExportJob | null>,
): Promise<AppError> {
  const error = toCloudError(problem);
  const isOther =
    problem.code !== 'export_in_progress' &&
    (problem.code !== 'concurrency_limit_exceeded' || problem.extensions.limit === 0);
  if (isOther) return error;
  const found = await findActive().catch(() => null);
  const { activeJobId, activeStatus } = problem.extensions;
  const jobId = typeof activeJobId === 'string' ? activeJobId : found?.jobId;
  const status = typeof activeStatus === 'string' ? activeStatus : found?.status;
  if (jobId === undefined) return error;
  const isNamed = error.message.includes(jobId);
  return new AppError(
    'cloud_problem',
    isNamed ? error.message : `${error.message} Under way: ${jobId} (${status ?? 'unknown'}).`,
    {
      remedy: 'Wait for it, or cancel it.',
      details: { ...error.details, activeJobId: jobId, activeStatus: status ?? null },
      cause: problem,
    },
  );
}
