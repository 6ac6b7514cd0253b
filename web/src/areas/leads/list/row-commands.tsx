import { useState } from 'react'
import { useCommands } from '../../../session/commands.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { LeadRow } from '../lead-queries.ts'
import type { ComposeKind, LeadTab } from '../lead-search.ts'
import { listLeadCommands } from '../record/lead-commands.ts'
import type { AskedAction } from './row-action.tsx'

export const RowAction = lazyPart(() => import('./row-action.tsx'), 'RowAction')

type Asked = { number: number; row: LeadRow; action: AskedAction }

type RowCommandsProps = {
  row: LeadRow | undefined
  open: (id: string, options: { compose?: ComposeKind; tab?: LeadTab }) => void
}

/** The keys of a lead for the active row. What they do may still be loaded, then it follows. */
export function RowCommands({ row, open }: RowCommandsProps) {
  const [asked, setAsked] = useState<readonly Asked[]>([])
  const ask = (action: AskedAction) =>
    setAsked((before) => [...before, { number: (before.at(-1)?.number ?? 0) + 1, row: row!, action }])
  useCommands(
    listLeadCommands({
      status: row?.status,
      canEdit: true,
      compose: (kind) => open(row!.id, { compose: kind }),
      edit: () => open(row!.id, { tab: 'details' }),
      assign: () => ask('assign'),
      setStatus: ask,
    }),
  )
  return asked.map(({ number, ...one }) => (
    <RowAction
      key={number}
      {...one}
      close={() => setAsked((before) => before.filter((other) => other.number !== number))}
    />
  ))
}
