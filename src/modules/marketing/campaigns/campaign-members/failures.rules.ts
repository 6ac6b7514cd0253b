/** The result of a task is limited to 64 KiB. */
const maxListed = 500

export type Failures = { failed_count: number; not_found: string[] }

export const noFailures: Failures = { failed_count: 0, not_found: [] }

export const addFailures = ({ failed_count, not_found }: Failures, ids: readonly string[]): Failures => ({
  failed_count: failed_count + ids.length,
  not_found: [...not_found, ...ids].slice(0, maxListed),
})

export const showFailures = ({ failed_count, not_found }: Failures) => ({
  failed_count,
  failed: not_found.map((id) => ({ id, code: 'not_found' })),
})
