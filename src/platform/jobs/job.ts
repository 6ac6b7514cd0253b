import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Actor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { TraceContext } from '#platform/telemetry'
import type { Queue } from './queues.ts'

/** Definition of a background job. It runs in the tenant that enqueued it; its payload contains ids, not records. */
export type Job<S extends TSchema = TSchema> = { readonly name: string; readonly queue: Queue; readonly payload: S }

export function defineJob<S extends TSchema>(name: string, queue: Queue, payload: S): Job<S> {
  if (!/^[a-z_]+\.[a-z_]+$/.test(name)) throw new Error(`Invalid job name ${name}: use {module}.{action}.`)
  return Object.freeze({ name, queue, payload })
}

/** Content of a row of the queue. */
export type JobData = { job: string; payload: unknown; origin?: Actor['origin']; trace?: TraceContext }

const checks = new WeakMap<Job, (payload: unknown) => boolean>()

/** Checks a payload at enqueueing and again before a run, because a waiting job may be older than the code. */
export function isValidPayload(job: Job, payload: unknown): boolean {
  const existing = checks.get(job)
  if (existing) return existing(payload)
  const compiled = Compile(job.payload)
  const check = (value: unknown) => compiled.Check(value)
  checks.set(job, check)
  return check(payload)
}

/** Means that this process has no code for a job: it is left to a worker of another version and loses no attempt. */
export class MissingHandlerError extends Error {
  override readonly name = 'MissingHandlerError'
}

export type JobLog = Record<'info' | 'warn' | 'error', (details: object, message: string) => void>

export type JobContext = {
  readonly tenantId: string
  inTenant<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>
  /** Runs with the database role of the system, for functions that requests must not call. */
  inTenantAsSystem<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>
  /** Aborted when the job has lost its claim or the process stops; return at the next safe point. */
  readonly signal: AbortSignal
  readonly attempt: number
  /** Replaces this job with a waiting one that has all attempts and the whole time limit again; return after the commit. */
  requeue(tx: TenantTx): Promise<void>
  /** Lets work continue after the job has ended. The worker waits for it when it stops. */
  detach(work: (signals: DetachedSignals) => Promise<void>): void
  /** Whether the workspace was suspended or put into maintenance since the job started. */
  isPaused(): Promise<boolean>
  readonly log: JobLog
}

export type DetachedSignals = {
  /** Aborted when the worker stops: what has not started must not start. */
  readonly drainSignal: AbortSignal
  /** Aborted when the process ends soon: what runs must stop. */
  readonly abortSignal: AbortSignal
}

type Run<Payload> = (context: JobContext, payload: Payload) => Promise<void>

export type JobHandler = { readonly job: Job; readonly run: Run<never>; readonly onDeadLetter?: Run<never> }

/** Defines the handler of a job. `run` and `onDeadLetter` (called after the last attempt failed) must be idempotent. */
export const defineJobHandler = <S extends TSchema>(
  job: Job<S>,
  run: Run<Static<S>>,
  { onDeadLetter }: { onDeadLetter?: Run<Static<S>> } = {},
): JobHandler => ({ job, run, onDeadLetter })
