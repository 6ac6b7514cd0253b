import { useMe } from '../../../session/me.ts'
import { campaignPeopleTexts as texts } from '../../../texts/en/campaign-people-texts.ts'
import { formTexts } from '../../../texts/en/form-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { formatNumber } from '../../../ui/format.ts'
import type { Campaign } from '../campaign-queries.ts'
import { labelOfStatus } from './member-list.tsx'
import { mostMembers } from './members-api.ts'
import type { MemberChange } from './use-member-changes.ts'

type ConfirmProps = {
  campaign: Campaign
  change: MemberChange
  count: number
  proceed: () => void
  close: () => void
}

/** Asks before many people are changed or any are removed, with their number. */
export function ConfirmMembers({ campaign, change: { status }, count, proceed, close }: ConfirmProps) {
  const { locale } = useMe()
  const text = formatNumber(count, locale)
  const isRemoval = status === undefined
  const title = isRemoval
    ? texts.removeTitle(count, text)
    : texts.statusTitle(count, text, labelOfStatus(campaign.member_statuses, status))
  const isTooMany = count > mostMembers
  return (
    <Dialog
      title={title}
      close={close}
      footer={
        <>
          <Button onClick={close}>{formTexts.cancel}</Button>
          {!isTooMany && (
            <Button autoFocus={!isRemoval} variant={isRemoval ? 'danger' : 'primary'} onClick={proceed}>
              {isRemoval ? texts.removeSubmit : texts.statusSubmit}
            </Button>
          )}
        </>
      }
    >
      <p>
        {isTooMany ? texts.tooMany(formatNumber(mostMembers, locale)) : isRemoval ? texts.removeText : texts.statusText}
      </p>
    </Dialog>
  )
}
