import type { ReactNode } from 'react'

export type MenuItem =
  | {
      kind?: 'action'
      label: string
      icon?: ReactNode
      keys?: string
      isDisabled?: boolean
      hint?: string
      /** Whether the menu stays open, because further choices follow. */
      staysOpen?: boolean
      run: () => void
    }
  | { kind: 'choice'; label: string; isChosen: boolean; staysOpen?: boolean; run: () => void }
  | { kind: 'line' }
  | { kind: 'title'; label: string }
