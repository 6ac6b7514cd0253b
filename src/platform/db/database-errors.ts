import { setTimeout as sleep } from 'node:timers/promises'

export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code?.startsWith('23') ? constraint : undefined
}

const unavailableCode = /^(08|53|57P0)|^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT)$/
const unavailableMessage =
  /connection (terminated|timeout|error|ended)|trying to connect|not queryable|^timeout expired$/i

export function isDatabaseUnavailable(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return unavailableCode.test(code) || unavailableMessage.test(message)
}

/** True for the statement, lock and idle-transaction timeouts of the role. */
export function isDatabaseTimeout(error: unknown): boolean {
  return ['57014', '55P03', '25P03'].includes((error as { code?: string }).code ?? '')
}

/** True for a deadlock or serialization failure: the transaction had no effect and can run again. */
export function isTransactionConflict(error: unknown): boolean {
  return ['40P01', '40001'].includes((error as { code?: string }).code ?? '')
}

const maxAttempts = 5
const firstDelayMs = 200

/** Retries background work that loses against interactive requests: lock timeouts and deadlocks, with exponential backoff. */
export async function retryOnContention<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === maxAttempts || !(isDatabaseTimeout(error) || isTransactionConflict(error))) throw error
    }
    await sleep(firstDelayMs * 2 ** attempt, undefined, { signal })
  }
}
