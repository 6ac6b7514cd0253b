import { ErrorState } from '../../../patterns/error-state.tsx'
import type { ComposerKind } from '../../../patterns/record/composer/composer.tsx'
import type { SaveFields } from '../../../patterns/record/use-save-fields.ts'
import { Skeleton } from '../../../patterns/states.tsx'
import { accountTexts } from '../../../texts/en/account-texts.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { Account } from '../account-queries.ts'
import type { SideTab } from '../account-search.ts'
import { AccountDetails } from './account-details.tsx'
import type { Chosen } from './account-field-groups.ts'

const options = {
  waiting: <Skeleton rows={4} />,
  renderFailure: (error: unknown) => <ErrorState error={error} />,
}
const AccountActivity = lazyPart(() => import('./account-activity.tsx'), 'AccountActivity', options)
const RoomsPart = lazyPart(() => import('./rooms-part.tsx'), 'RoomsPart', options)
const GroupPart = lazyPart(() => import('./group-part.tsx'), 'GroupPart', options)

type PartProps = {
  tab: SideTab
  account: Account
  changes: SaveFields
  canEdit: boolean
  owner: Chosen
  parent: Chosen
  fieldRequest: number
  composer: { kind: ComposerKind; request: number }
  setKind: (kind: ComposerKind) => void
}

/** The part of a tab. Only the fields are known with the account; the others are read when they are shown. */
export const AccountPart = (props: PartProps) => (
  <>
    <h2 className="visually-hidden">{accountTexts.tabs[props.tab]}</h2>
    <Part {...props} />
  </>
)

function Part({ tab, account, changes, canEdit, owner, parent, fieldRequest, composer, setKind }: PartProps) {
  if (tab === 'rooms') return <RoomsPart accountId={account.id} />
  if (tab === 'group') return <GroupPart account={account} choose={canEdit ? parent.choose : undefined} />
  if (tab === 'activity') return <AccountActivity accountId={account.id} {...{ canEdit, composer, setKind }} />
  return <AccountDetails {...{ account, changes, canEdit, owner, parent }} focusRequest={fieldRequest} />
}
