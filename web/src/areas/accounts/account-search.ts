import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

export const sideTabs = ['details', 'activity', 'rooms', 'group'] as const
export type SideTab = (typeof sideTabs)[number]
/** Deals and people have a tab where there is no room for two columns. */
export type AccountTab = SideTab | 'overview'

/** The part of an account that is shown, from the URL. */
export function useAccountTab(): { tab: SideTab | undefined; setTab: (tab: AccountTab) => void } {
  const { tab } = useSearch({ strict: false }) as { tab?: unknown }
  const navigate = useNavigate()
  const setTab = useCallback(
    (next: AccountTab) =>
      void navigate({ to: '.', search: (next === 'overview' ? {} : { tab: next }) as never, replace: true }),
    [navigate],
  )
  return { tab: sideTabs.find((one) => one === tab), setTab }
}
