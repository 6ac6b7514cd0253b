import { Composer, type ComposerKind } from '../../../patterns/record/composer/composer.tsx'
import { describeChange } from '../../../patterns/record/describe-change.ts'
import { Timeline } from '../../../patterns/record/timeline.tsx'
import { useMe } from '../../../session/me.ts'
import { accountListTexts } from '../../../texts/en/account-list-texts.ts'

type ActivityProps = {
  accountId: string
  canEdit: boolean
  composer: { kind: ComposerKind; request: number }
  setKind: (kind: ComposerKind) => void
}

const describeAccountChange = describeChange(accountListTexts.types)

export function AccountActivity({ accountId, canEdit, composer, setKind }: ActivityProps) {
  const me = useMe()
  const record = { type: 'account' as const, id: accountId }
  return (
    <>
      {canEdit && (
        <Composer
          record={record}
          userId={me.id}
          kind={composer.kind}
          setKind={setKind}
          focusRequest={composer.request}
        />
      )}
      <Timeline record={record} locale={me.locale} canEdit={canEdit} describe={describeAccountChange} />
    </>
  )
}
