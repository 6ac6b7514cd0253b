import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TenantTx } from '#platform/db'
import type { Queue } from './queues.ts'

/** An order that is carried out later, in the tenant that gave it. Its payload holds ids, not records. */
export type Job<S extends TSchema = TSchema> = { readonly name: string; readonly queue: Queue; readonly payload: S }

/** `name` is `{module}.{order}`, such as `identity.send_invite`. */
export function defineJob<S extends TSchema>(name: string, queue: Queue, payload: S): Job<S> {
  if (!/^[a-z_]+\.[a-z_]+$/.test(name)) throw new Error(`${name} is not the name of a job: write {module}.{order}.`)
  return Object.freeze({ name, queue, payload })
}

const checks = new WeakMap<Job, (payload: unknown) => boolean>()

/** Whether a payload is what its job expects. Also asked of a waiting job, which may be older than the code that runs it. */
export function fits(job: Job, payload: unknown): boolean {
  const known = checks.get(job)
  if (known) return known(payload)
  const compiled = Compile(job.payload)
  const check = (value: unknown) => compiled.Check(value)
  checks.set(job, check)
  return check(payload)
}

export type JobLog = Record<'info' | 'warn' | 'error', (details: object, message: string) => void>

/** What a job may do and know while it runs. */
export type JobContext = {
  readonly tenantId: string
  inTenant<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>
  /** Aborted when the job has lost its claim or the process is about to end: stop at the next safe point. */
  readonly signal: AbortSignal
  /** 1 for the first. */
  readonly attempt: number
  readonly log: JobLog
}

type Run<Payload> = (context: JobContext, payload: Payload) => Promise<void>

export type JobHandler = { readonly job: Job; readonly run: Run<never>; readonly givenUp?: Run<never> }

/**
 * A job may run twice: `run` is written so that the second time does no harm. `givenUp` is told once the last attempt has
 * failed or lost its worker; it too may be told twice.
 */
export const handleJob = <S extends TSchema>(
  job: Job<S>,
  run: Run<Static<S>>,
  { givenUp }: { givenUp?: Run<Static<S>> } = {},
): JobHandler => ({ job, run, givenUp })
