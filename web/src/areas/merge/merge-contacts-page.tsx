import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { mergeContacts } from '../../api/access.gen.ts'
import { useIntent } from '../../api/intent.ts'
import { showRepeatableProblem } from '../../patterns/show-problem.ts'
import { NoPermissionPage } from '../../patterns/states.tsx'
import { may, mayDelete, useMe } from '../../session/me.ts'
import { mergeTexts as texts } from '../../texts/en/merge-texts.ts'
import { showToast } from '../../ui/toasts.ts'
import { contactFields } from './compared-fields.ts'
import { ConfirmMerge } from './confirm-merge.tsx'
import { MergeForm, MergePage } from './merge-page.tsx'
import { type Contact, comparedContactQuery, type Preferences, requestContactMerge } from './merge-queries.ts'

const route = getRouteApi('/contacts/$contactId/merge')

export function MergeContactsPage() {
  const me = useMe()
  return may(me, mergeContacts) ? (
    <ComparedContacts />
  ) : (
    <NoPermissionPage area={texts.contacts} scope="contacts.delete" />
  )
}

function ComparedContacts() {
  const { contactId } = route.useParams()
  const { with: otherId = contactId } = route.useSearch()
  const [kept, other] = [useQuery(comparedContactQuery(contactId)), useQuery(comparedContactQuery(otherId))]
  return (
    <MergePage
      title={texts.contacts}
      path={`/contacts/${contactId}`}
      search={{ tab: 'duplicates' }}
      records={[kept, other]}
    >
      {(records) => <Contacts key={contactId} records={records} />}
    </MergePage>
  )
}

const nameOf = ({ name, email, account_name: company }: Contact): string => name ?? email ?? company ?? texts.noName

function Contacts({ records }: { records: readonly [Contact, Contact] }) {
  const me = useMe()
  const navigate = useNavigate()
  const intent = useIntent()
  const [toConfirm, setToConfirm] = useState<Preferences>()
  const [kept, other] = records
  const merge = useMutation({
    mutationFn: (prefer: Preferences) =>
      requestContactMerge({ keptId: kept.id, otherId: other.id, prefer }, intent.keyOf([kept.id, other.id, prefer])),
    onSuccess: () => {
      intent.end()
      showToast(texts.merged(nameOf(kept)))
      void navigate({ to: `/contacts/${kept.id}` as string })
    },
    onError: (error, prefer) => showRepeatableProblem(error, () => merge.mutate(prefer)),
  })
  const isAllowed = records.every(({ owner_id }) => mayDelete(me, 'contacts', owner_id))
  return (
    <>
      <MergeForm
        records={records}
        nameOf={nameOf}
        fields={contactFields(me.locale)}
        effects={[
          texts.activitiesAndDealsMove,
          texts.tagsAreCombined,
          texts.customValues,
          texts.optOuts,
          texts.cannotBeUndone,
        ]}
        swapped={{ to: `/contacts/${other.id}/merge`, search: { with: kept.id } }}
        refusal={kept.id === other.id ? texts.sameRecord : isAllowed ? undefined : texts.onlyOwn}
        isPending={merge.isPending}
        merge={setToConfirm}
      />
      {toConfirm && (
        <ConfirmMerge
          text={texts.confirmContact(nameOf(kept))}
          merge={() => merge.mutate(toConfirm)}
          close={() => setToConfirm(undefined)}
        />
      )}
    </>
  )
}
