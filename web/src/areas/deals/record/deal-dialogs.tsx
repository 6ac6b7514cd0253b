import { PersonPicker } from '../../../patterns/person-picker.tsx'
import { useMe } from '../../../session/me.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { CloseDealDialog } from '../close-deal.tsx'
import type { Closing } from '../closing.ts'
import type { Deal, Pipeline } from '../deal-queries.ts'

const ReopenDialog = lazyPart(() => import('../forms/reopen-dialog.tsx'), 'ReopenDialog')

export type DealDialog = 'owner' | 'reopen' | Closing

type DialogsProps = {
  dialog: DealDialog | undefined
  deal: Deal
  stages: Pipeline['stages']
  assign: (owner: { id: string | null; name: string }) => void
  close: () => void
}

export function DealDialogs({ dialog, deal, stages, assign, close }: DialogsProps) {
  const me = useMe()
  if (dialog === undefined) return null
  if (dialog === 'reopen') return <ReopenDialog deal={deal} stages={stages} close={close} />
  if (dialog !== 'owner') return <CloseDealDialog {...dialog} close={close} />
  return (
    <PersonPicker
      title={dealTexts.commands.assign}
      first={[
        { id: me.id, name: me.name },
        { id: null, name: dealTexts.noOwner },
      ]}
      choose={(owner) => {
        close()
        assign(owner)
      }}
      close={close}
    />
  )
}
