import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { Campaign } from '../campaign-queries.ts'
import type { ChangeSearch } from '../campaign-search.ts'
import type { DialogName } from './campaign-actions.ts'

const AddDialog = lazyPart(() => import('../people/add-dialog.tsx'), 'AddDialog')
const CostDialog = lazyPart(() => import('../results/cost-dialog.tsx'), 'CostDialog')
const DuplicateDialog = lazyPart(() => import('../create/create-dialog.tsx'), 'DuplicateDialog')
const EndDialog = lazyPart(() => import('./end-dialog.tsx'), 'EndDialog')

type DialogsProps = {
  campaign: Campaign
  dialog: DialogName
  change: ChangeSearch
  leave: () => void
  close: () => void
}

export function CampaignDialogs({ campaign, dialog, change, leave, close }: DialogsProps) {
  if (dialog === 'segment' || dialog === 'search')
    return <AddDialog {...{ campaign, close }} way={dialog} showPeople={() => change({ tab: 'people' })} />
  if (dialog === 'cost') return <CostDialog {...{ campaign, close }} />
  if (dialog === 'duplicate') return <DuplicateDialog {...{ campaign, close }} />
  return <EndDialog {...{ campaign, close, leave }} action={dialog} />
}
