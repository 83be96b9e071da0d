import type {
  Device,
  GpsExportJob,
  PlaybackLink,
  RecallJob,
  SdRecording,
  Usage,
} from '../../shared/cloudResources.ts';
import type { OperationInput, OperationName } from './operations.ts';
import { walkPages, type Page } from './pagination.ts';
import { CloudProblem } from './problem.ts';
import { spendingOf, type Spending } from './spending.ts';
import {
  CloudTransport,
  type CallOptions,
  type CloudAnswer,
  type CloudTransportOptions,
} from './transport.ts';

type Quality = 'main' | 'sub';

export interface CloudClientOptions extends CloudTransportOptions {
  /** Hears of what a call cost beyond itself (8.2); for the local ledger. */
  readonly onSpending?: (
    spending: Spending & { readonly operation: OperationName; readonly requestId: string | null },
  ) => void;
}

/** What the app itself calls, with the resources of section 2 for results; `call` reaches every other route. */
export class CloudClient {
  readonly transport: CloudTransport;
  private readonly onSpending: CloudClientOptions['onSpending'];

  constructor(options: CloudClientOptions) {
    this.transport = new CloudTransport(options);
    this.onSpending = options.onSpending;
  }

  /** Any operation by name; the answer as it came. */
  async call(
    name: OperationName,
    input: OperationInput = {},
    options: CallOptions = {},
  ): Promise<CloudAnswer> {
    const answer = await this.transport.call(name, input, options);
    if (name === 'usage.get') this.learnRate(answer.body);
    const spending = spendingOf(name, input, answer.body);
    if (spending) this.onSpending?.({ ...spending, operation: name, requestId: answer.requestId });
    return answer;
  }

  /** All pages of a list operation, each row once (4.7). */
  pages(
    name: OperationName,
    input: OperationInput = {},
    options: CallOptions = {},
  ): AsyncGenerator<Page, void, undefined> {
    return walkPages((n, i, o) => this.call(n, i, o), name, input, options);
  }

  /** All rows of a list operation. */
  async *rows<T>(
    name: OperationName,
    input: OperationInput = {},
    options: CallOptions = {},
  ): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages(name, input, options)) yield* page.rows as unknown as T[]; // rows pass through
  }

  devices(
    query: { category?: string; status?: string; q?: string; groupId?: string; entitlement?: string } = {},
    options?: CallOptions,
  ): AsyncGenerator<Device> {
    return this.rows<Device>('devices.list', { perPage: 100, ...query }, options);
  }
  sdFiles(psn: string, query: OperationInput = {}, options?: CallOptions): AsyncGenerator<SdRecording> {
    return this.rows<SdRecording>('sdFiles.list', { perPage: 200, ...query, psn }, options);
  }
  usage(options?: CallOptions): Promise<Usage> {
    return this.data<Usage>('usage.get', {}, options);
  }
  /** Starts an upload and counts toward `transfer_bytes`: never called without the user's word (4.1 rule 5). */
  playback(psn: string, filename: string, quality: Quality, options?: CallOptions): Promise<PlaybackLink> {
    return this.data<PlaybackLink>('sdFiles.playback', { psn, filename, quality }, options);
  }
  recallJob(jobId: string, options?: CallOptions): Promise<RecallJob> {
    return this.data<RecallJob>('recallJobs.get', { jobId }, options);
  }
  createExport(
    body: { psns?: readonly string[]; from: string; to: string; format: string; packaging?: string },
    options?: CallOptions,
  ): Promise<GpsExportJob> {
    return this.data<GpsExportJob>('gpsExports.create', { body }, options);
  }
  exportJob(jobId: string, options?: CallOptions): Promise<GpsExportJob> {
    return this.data<GpsExportJob>('gpsExports.get', { jobId }, options);
  }

  /** The `data` member of a single-resource answer (conventions of the specification). */
  async data<T>(name: OperationName, input: OperationInput, options: CallOptions = {}): Promise<T> {
    const { body, status, requestId } = await this.call(name, input, options);
    if (typeof body === 'object' && body !== null && 'data' in body) return (body as { data: T }).data; // resource fields are read tolerantly
    throw new CloudProblem({
      code: 'answer_malformed',
      sentCode: null,
      status,
      title: 'Unreadable answer',
      detail: 'the answer holds no data',
      requestId,
      operation: name,
      extensions: {},
    });
  }

  /** The key follows plan changes without reissue (section 5 rule 4), so the gate follows what usage says. */
  private learnRate(body: unknown): void {
    const rate = (body as { data?: Usage } | null)?.data?.rate;
    if (rate && typeof rate.limitRps === 'number' && typeof rate.burst === 'number')
      this.transport.gate.setRate(rate);
  }
}
