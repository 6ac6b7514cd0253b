import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

export const cadenceTabs = ['steps', 'people', 'results', 'settings'] as const
export type CadenceTab = (typeof cadenceTabs)[number]

export const enrollmentStatuses = ['active', 'paused', 'completed', 'exited'] as const
export type EnrollmentStatus = (typeof enrollmentStatuses)[number]

/** The state of the page of a cadence. It is in the URL. */
export type CadenceSearch = {
  tab?: CadenceTab
  /** Key of the open step. */
  step?: string
  /** Filters of the people. */
  status?: EnrollmentStatus
  reason?: string
  at?: string
  sender?: string
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : undefined

export const parseCadenceSearch = (search: Record<string, unknown>): CadenceSearch => ({
  tab: cadenceTabs.find((tab) => tab === search.tab && tab !== 'steps'),
  step: text(search.step),
  status: enrollmentStatuses.find((status) => status === search.status),
  reason: text(search.reason),
  at: text(search.at),
  sender: text(search.sender),
})

export type ChangeSearch = (changes: Partial<CadenceSearch>, options?: { isReplaced?: boolean }) => void

export function useCadenceSearch(): { search: CadenceSearch; change: ChangeSearch } {
  const search = parseCadenceSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change: ChangeSearch = useCallback(
    (changes, { isReplaced = false } = {}) =>
      void navigate({
        to: '.',
        search: ((before: Record<string, unknown>) => ({ ...before, ...changes })) as never,
        replace: isReplaced,
      }),
    [navigate],
  )
  return { search, change }
}
