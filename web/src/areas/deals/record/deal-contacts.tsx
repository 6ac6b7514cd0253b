import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { areaKeys } from '../../../api/area-keys.ts'
import { ContactDataOf } from '../../../patterns/contact-links/contact-data.tsx'
import { showRepeatableProblem } from '../../../patterns/show-problem.ts'
import { can, mayDelete, useMe } from '../../../session/me.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { Deal } from '../deal-queries.ts'
import { type ContactRole, removeDealContact, roleOptions, setDealContact } from './deal-contact-api.ts'
import styles from './deal-record.module.css'

const AddContactDialog = lazyPart(() => import('./add-contact-dialog.tsx'), 'AddContactDialog')

export function DealContacts({ deal }: { deal: Deal }) {
  const me = useMe()
  const queries = useQueryClient()
  const canWrite = can(me, 'opportunities.write')
  const canRemove = mayDelete(me, 'opportunities', deal.owner_id ?? deal.created_by)
  const [isAdding, setAdding] = useState(false)
  const change = useMutation({
    mutationFn: ({ id, role }: { id: string; role: ContactRole | null }): Promise<unknown> =>
      role ? setDealContact(deal.id, id, role) : removeDealContact(deal.id, id),
    onSuccess: () => queries.invalidateQueries({ queryKey: areaKeys.deals.detail(deal.id) }),
    onError: (error, contact) => showRepeatableProblem(error, () => change.mutate(contact)),
  })
  return (
    <>
      {deal.contacts.length === 0 && <p className={styles.muted}>{dealTexts.noContacts}</p>}
      <ul className={styles.contacts}>
        {deal.contacts.map(({ contact_id: id, contact: { name }, role }) => (
          <li key={id} className={styles.contact}>
            <Avatar name={name} />
            <div className={styles.contactName}>
              <Link to="/contacts/$contactId" params={{ contactId: id }} search={{}}>
                {name}
              </Link>
              <ContactDataOf contactId={id} />
            </div>
            {canWrite ? (
              <SelectField
                label={dealTexts.roleOf(name)}
                isLabelHidden
                options={roleOptions}
                value={role}
                disabled={change.isPending}
                onChange={(event) => change.mutate({ id, role: event.target.value as ContactRole })}
              />
            ) : (
              <span className={styles.muted}>{dealTexts.roles[role]}</span>
            )}
            {canRemove && (
              <IconButton
                label={dealTexts.removeContact(name)}
                icon={<X size={14} />}
                size="small"
                onClick={() => change.mutate({ id, role: null })}
              />
            )}
          </li>
        ))}
      </ul>
      {canWrite && can(me, 'contacts.read') && (
        <Button size="small" variant="quiet" icon={<Plus size={14} />} onClick={() => setAdding(true)}>
          {dealTexts.addContact}
        </Button>
      )}
      {isAdding && <AddContactDialog deal={deal} close={() => setAdding(false)} />}
    </>
  )
}
