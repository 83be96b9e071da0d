import { explainProblem, type CloudProblemData } from '../../../shared/cloudProblem.ts';
import { AppError } from '../../../shared/errors.ts';

/** A problem that came as data inside an answer, as the error that a rejected request would have been. */
export function problemError(problem: CloudProblemData): AppError {
  const { what, todo } = explainProblem(problem);
  return new AppError('cloud_problem', what, { remedy: todo, details: { problem } });
}

/** The service's problem inside an error; null for any other failure. */
export function problemOf(error: unknown): CloudProblemData | null {
  if (!(error instanceof AppError) || error.code !== 'cloud_problem') return null;
  const problem = error.details?.problem;
  // Put there by the core: cloudError.ts, accounts.ts.
  return typeof problem === 'object' && problem !== null ? (problem as CloudProblemData) : null;
}
