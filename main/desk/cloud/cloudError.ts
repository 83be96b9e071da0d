import { explainProblem } from '../../../shared/cloudProblem.ts';
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
