/** What hosts may know of the client without opening an account: the list of operations and the signature check. */
export { isOperationName, operations, toPath } from '../../cloud/operations.ts';
export { verifyWebhookSignature } from '../../cloud/signature.ts';
