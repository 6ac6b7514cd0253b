import { useState } from 'react'
import type { ComposerKind } from '../../../patterns/record/composer/composer.tsx'
import { ConflictBar } from '../../../patterns/record/conflict-bar.tsx'
import { withPending } from '../../../patterns/record/fields/field-changes.ts'
import { useWide } from '../../../patterns/use-narrow.ts'
import { useCommands } from '../../../session/commands.ts'
import { can, mayDelete, useMe } from '../../../session/me.ts'
import { accountTexts as texts } from '../../../texts/en/account-texts.ts'
import { leadCommandTexts } from '../../../texts/en/lead-command-texts.ts'
import { Tabs } from '../../../ui/tabs.tsx'
import type { Account } from '../account-queries.ts'
import { type AccountTab, sideTabs, useAccountTab } from '../account-search.ts'
import styles from './account.module.css'
import { useAccountChanges } from './account-changes.ts'
import { listAccountCommands, type StartActivity } from './account-commands.ts'
import { type AccountDialog, AccountDialogs } from './account-dialogs.tsx'
import { formatAccountField, labelOfField } from './account-fields.ts'
import { AccountHead } from './account-head.tsx'
import { AccountOverview } from './account-overview.tsx'
import { AccountPart } from './account-part.tsx'
import { deleteAccount } from './delete-account.ts'

type RecordProps = { account: Account; list: object; leave: () => void }

/** One account: its figures, deals and people, and beside them its fields, activity, rooms and group. */
export function AccountRecord({ account: stored, list, leave }: RecordProps) {
  const me = useMe()
  const isWide = useWide()
  const canEdit = can(me, 'accounts.write')
  const { tab, setTab } = useAccountTab()
  const changes = useAccountChanges(stored)
  const [composer, setComposer] = useState<{ kind: ComposerKind; request: number }>({ kind: 'note', request: 0 })
  const [fieldRequest, setFieldRequest] = useState(0)
  const [dialog, setDialog] = useState<AccountDialog>()
  const [names, setNames] = useState<ReadonlyMap<unknown, string>>(new Map())
  const account = withPending(stored, changes)

  const start: StartActivity = (kind) => {
    setTab('activity')
    setComposer(({ request }) => ({ kind, request: request + 1 }))
  }
  const edit = () => {
    setTab('details')
    setFieldRequest(fieldRequest + 1)
  }
  const assign = () => setDialog('owner')
  const mayRemove = mayDelete(me, 'accounts', stored.owner_id)
  const remove = async () => {
    if (await deleteAccount(stored)) leave()
  }
  useCommands(
    listAccountCommands({ canEdit, start, edit, assign, remove: mayRemove ? () => void remove() : undefined }),
  )

  const nameOf = (known: { id: string; name: string } | null, none: string) => (id: unknown) =>
    id === null ? none : ((id === known?.id ? known?.name : names.get(id)) ?? none)
  const owner = { nameOf: nameOf(stored.owner, texts.noOwner), choose: assign }
  const parent = { nameOf: nameOf(stored.parent, ''), choose: () => setDialog('parent') }
  const overview = (
    <AccountOverview
      account={account}
      ownerName={account.owner_id === null ? undefined : owner.nameOf(account.owner_id)}
      isUnsaved={changes.isWaiting && Object.keys(changes.pending).length > 0}
      setType={(type) => changes.save({ type })}
      assign={canEdit ? assign : undefined}
    />
  )
  const partOf = (key: (typeof sideTabs)[number]) => (
    <AccountPart
      tab={key}
      {...{ account: stored, changes, canEdit, owner, parent, fieldRequest, composer }}
      setKind={(kind) => setComposer((before) => ({ ...before, kind }))}
    />
  )
  const offered = sideTabs.filter((key) => key !== 'rooms' || can(me, 'rooms.read'))
  const known = offered.find((key) => key === tab)
  const tabs = offered.map((key) => ({ key, label: texts.tabs[key] }))
  return (
    <>
      <AccountHead
        account={account}
        list={list}
        start={canEdit ? start : undefined}
        menu={[
          ...(canEdit ? [{ label: leadCommandTexts.edit, keys: 'e', run: edit }] : []),
          ...(mayRemove ? [{ label: texts.commands.remove, run: () => void remove() }] : []),
        ]}
      />
      <ConflictBar
        changes={changes}
        labelOf={labelOfField}
        format={(field, value) => formatAccountField(field, value, { locale: me.locale, owner, parent })}
      />
      {isWide ? (
        <div className={styles.columns}>
          <div className={styles.main}>{overview}</div>
          <div className={styles.side}>
            <Tabs label={texts.tabList} tabs={tabs} current={known ?? 'details'} choose={setTab}>
              {partOf(known ?? 'details')}
            </Tabs>
          </div>
        </div>
      ) : (
        <div className={styles.single}>
          <Tabs<AccountTab>
            label={texts.tabList}
            tabs={[{ key: 'overview', label: texts.tabs.overview }, ...tabs]}
            current={known ?? 'overview'}
            choose={setTab}
          >
            {known ? partOf(known) : <div className={styles.main}>{overview}</div>}
          </Tabs>
        </div>
      )}
      <AccountDialogs
        dialog={dialog}
        choose={(field, choice) => {
          if (choice.id) setNames((before) => new Map(before).set(choice.id, choice.name))
          changes.save({ [field]: choice.id })
        }}
        close={() => setDialog(undefined)}
      />
    </>
  )
}
