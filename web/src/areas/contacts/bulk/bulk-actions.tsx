import { MailX, Plus, Tag, Trash2, UserRoundPen } from 'lucide-react'
import { useState } from 'react'
import { addCampaignMembers, deleteContact, enrollInCadence } from '../../../api/access.gen.ts'
import { BulkActions, type StartBulk } from '../../../patterns/list/bulk/bulk-actions.tsx'
import type { Chosen } from '../../../patterns/list/bulk/bulk-bar.tsx'
import { useCommands } from '../../../session/commands.ts'
import { may, useMe } from '../../../session/me.ts'
import { contactBulkTexts as texts } from '../../../texts/en/contact-bulk-texts.ts'
import { contactRecordTexts } from '../../../texts/en/contact-record-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { MenuButton } from '../../../ui/menu.tsx'
import type { ContactList } from '../list/use-contact-list.ts'
import { toListFilters } from '../list-query.ts'
import { contactBulk } from './bulk-api.ts'
import { type BulkDialog, BulkDialogs } from './bulk-dialogs.tsx'
import type { BulkAction } from './describe-action.ts'

export const ContactBulkActions = ({ list, chosen }: { list: ContactList; chosen: Chosen }) => (
  <BulkActions
    definition={contactBulk}
    list={list}
    chosen={chosen}
    filters={toListFilters(list.filters)}
    renderActions={(slot) => <ContactActions count={chosen.count} {...slot} />}
  />
)

type ContactActionsProps = { count: number; start: StartBulk<BulkAction>; isRunning: boolean }

function ContactActions({ count, start, isRunning }: ContactActionsProps) {
  const me = useMe()
  const [dialog, setDialog] = useState<BulkDialog>()
  const ask = (next: BulkDialog) => () => setDialog(next)
  useCommands([
    {
      id: 'contact:assign',
      label: contactRecordTexts.assign,
      group: contactRecordTexts.group,
      keys: ['a'],
      isAvailable: !isRunning,
      run: ask('assign'),
    },
  ])
  const targets = [
    ...(may(me, addCampaignMembers) ? [{ label: texts.campaign, run: ask('campaign') }] : []),
    ...(may(me, enrollInCadence) ? [{ label: texts.cadence, run: ask('cadence') }] : []),
  ]
  return (
    <>
      <Button size="small" icon={<UserRoundPen size={14} />} keys="a" disabled={isRunning} onClick={ask('assign')}>
        {texts.assign}
      </Button>
      <MenuButton
        variant="secondary"
        size="small"
        label={texts.changeTags}
        icon={<Tag size={14} />}
        items={[
          { label: texts.addTags, run: ask('add_tags') },
          { label: texts.removeTags, run: ask('remove_tags') },
        ]}
      >
        {texts.tags}
      </MenuButton>
      {targets.length > 0 && (
        <MenuButton
          variant="secondary"
          size="small"
          label={texts.addSelected}
          icon={<Plus size={14} />}
          items={targets}
        >
          {texts.addTo}
        </MenuButton>
      )}
      <Button size="small" icon={<MailX size={14} />} disabled={isRunning} onClick={() => start({ action: 'opt_out' })}>
        {texts.optOut}
      </Button>
      {may(me, deleteContact) && (
        <Button
          size="small"
          icon={<Trash2 size={14} />}
          disabled={isRunning}
          onClick={() => start({ action: 'delete' })}
        >
          {texts.remove}
        </Button>
      )}
      <BulkDialogs dialog={dialog} count={count} start={start} close={() => setDialog(undefined)} />
    </>
  )
}
