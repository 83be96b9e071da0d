/**
 * Resources of the Fleet Dashcam Cloud (specification, section 2). Every one may carry fields this version does
 * not know (kept, passed on), and enum values this version does not know (shown as themselves): hence `Open` and
 * `| (string & {})`. Fields the specification marks optional or leaves unshown are optional here.
 */
export type Open<T> = T & Readonly<Record<string, unknown>>;
/** A documented set of values that may grow. */
export type Additive<T extends string> = T | (string & {});

/** 2.12 */
export type Device = Open<{
  readonly psn: string;
  readonly name?: string | null;
  readonly category?: Additive<'cloud' | 'wifi'>;
  readonly entitlement?: Additive<'covered' | 'over_limit'>;
  readonly cameraPosition?: number | null;
  readonly registeredAt?: string | null;
  readonly lastLoginAt?: string | null;
  readonly lastConnectedAt?: string | null;
  readonly connectivity?: Additive<'lte' | 'wifi'> | null;
  readonly fwVersion?: string | null;
  readonly requiredCameraLimit?: number;
}>;

/** 2.1 */
export type SdRecording = Open<{
  readonly filename: string;
  readonly recordedAtLocal?: string;
  readonly type?: string;
  readonly typeCode?: string;
  readonly direction?: Additive<'front' | 'option'>;
  readonly directionCode?: string;
  readonly stream?: Additive<'main' | 'sub'>;
  readonly mainSizeBytes?: number | null;
  readonly subSizeBytes?: number | null;
}>;

/** 2.3 */
export type PlaybackLink = Open<{
  readonly url: string;
  readonly expiresAt: string | null;
  readonly jobId: string;
  readonly sizeBytes: number | null;
  readonly receivedBytes: number | null;
  readonly quality: Additive<'main' | 'sub'>;
}>;

/** 2.4 */
export type RecallJob = Open<{
  readonly jobId: string;
  readonly status: Additive<'ready' | 'canceled'>;
  readonly downloadUrl?: string;
  readonly sizeBytes?: number | null;
  readonly receivedBytes?: number | null;
  readonly expiresAt?: string | null;
}>;

/** 2.7 */
export type GpsExportJob = Open<{
  readonly jobId: string;
  readonly status: Additive<'queued' | 'running' | 'completed' | 'failed' | 'canceled'>;
  readonly progress?: number;
  readonly estimatedPoints?: number;
  readonly createdAt?: string;
  readonly completedAt?: string | null;
  readonly downloadUrl?: string;
  readonly downloadFileName?: string;
  readonly downloadUrlExpiresIn?: number;
  readonly expiresAt?: string | null;
  readonly from?: string;
  readonly to?: string;
  readonly partial?: boolean;
}>;

/** 2.11 */
export type VolumeQuota = Open<{
  readonly bucket: Additive<'transfer_bytes' | 'export_job' | 'export_concurrent'>;
  readonly limit: number;
  readonly used: number;
  readonly period?: string;
  readonly unit?: Additive<'bytes' | 'count'>;
}>;
/** 2.11 */
export type Usage = Open<{
  readonly period?: string;
  readonly tier?: Additive<'free' | 'starter' | 'standard' | 'pro' | 'enterprise'>;
  readonly cameraLimit?: number | null;
  readonly apiCalls?: Open<{ readonly used: number; readonly limit: number | null }>;
  readonly rate?: Open<{ readonly limitRps: number; readonly burst: number }>;
  readonly volumeQuotas?: readonly VolumeQuota[];
  readonly callHistory?: Open<{
    readonly days: readonly Open<{ readonly date: string; readonly calls: number }>[];
  }> | null;
  readonly statusBreakdown?: Open<{
    readonly total: number;
    readonly classes: readonly Open<{
      readonly statusClass: string;
      readonly count: number;
      readonly ratio: number | null;
    }>[];
  }> | null;
}>;
