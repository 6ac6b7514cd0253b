import { Mail, MailX, RotateCcw, ShieldCheck, UserX, VenetianMask } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Command, useCommands } from '../../session/commands.ts'
import { can, useMe } from '../../session/me.ts'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatDate } from '../../ui/format.ts'
import { DeactivateDialog } from './deactivate-dialog.tsx'
import { ImpersonateDialog } from './impersonate-dialog.tsx'
import styles from './panel.module.css'
import { type Profile, resendInvitation, updatePerson } from './people-queries.ts'
import type { Person } from './people-search.ts'
import { RevokeDialog } from './revoke-dialog.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { usePersonAction } from './use-person-action.ts'

type ShownDialog = 'role' | 'deactivate' | 'revoke' | 'impersonate'
type Action = { id: string; label: string; icon: ReactNode; keys?: string; isPending?: boolean; run: () => void }

/** The actions of the current user for the person. The same list makes the buttons and the commands. */
export function PersonActions({ person, book }: { person: Person; book: Profile['book'] | null }) {
  const me = useMe()
  const [shown, setShown] = useState<ShownDialog>()
  const { id, name, version } = person
  const resend = usePersonAction(
    () => resendInvitation(id),
    ({ sent_to }) => peopleTexts.resent(sent_to),
  )
  const reactivate = usePersonAction(
    () => updatePerson(id, version, { status: 'active' }),
    () => peopleTexts.reactivated(name),
  )
  const mayWrite = can(me, 'users.write') && person.status !== 'erased'
  const isOther = id !== me.id
  const { status } = person
  const actions = [
    mayWrite &&
      isOther &&
      status !== 'deactivated' && {
        id: 'role',
        label: peopleTexts.changeRole,
        icon: <ShieldCheck size={15} />,
        keys: 'r',
        run: () => setShown('role'),
      },
    mayWrite &&
      status === 'invited' && {
        id: 'resend',
        label: peopleTexts.resend,
        icon: <Mail size={15} />,
        isPending: resend.isPending,
        run: () => resend.mutate(),
      },
    mayWrite &&
      status === 'invited' && {
        id: 'revoke',
        label: peopleTexts.revoke,
        icon: <MailX size={15} />,
        run: () => setShown('revoke'),
      },
    mayWrite &&
      isOther &&
      status === 'active' &&
      me.role === 'admin' &&
      !me.impersonation && {
        id: 'impersonate',
        label: peopleTexts.impersonate,
        icon: <VenetianMask size={15} />,
        run: () => setShown('impersonate'),
      },
    mayWrite &&
      isOther &&
      status === 'active' && {
        id: 'deactivate',
        label: peopleTexts.deactivate,
        icon: <UserX size={15} />,
        run: () => setShown('deactivate'),
      },
    mayWrite &&
      isOther &&
      status === 'deactivated' && {
        id: 'reactivate',
        label: peopleTexts.reactivate,
        icon: <RotateCcw size={15} />,
        isPending: reactivate.isPending,
        run: () => reactivate.mutate(),
      },
  ].filter((action) => action !== false) satisfies Action[]
  useCommands(actions.map(toCommand))
  const close = () => setShown(undefined)
  return (
    <>
      <StatusNotice person={person} />
      {actions.length > 0 && (
        <div className={styles.actions}>
          {(actions as Action[]).map(({ id: key, label, icon, keys, isPending, run }) => (
            <Button key={key} icon={icon} keys={keys} disabled={isPending} onClick={run}>
              {label}
            </Button>
          ))}
        </div>
      )}
      {mayWrite && !isOther && <p className={styles.note}>{peopleTexts.ownAccount}</p>}
      {shown === 'role' && <RoleDialog person={person} close={close} />}
      {shown === 'deactivate' && <DeactivateDialog person={person} book={book} close={close} />}
      {shown === 'impersonate' && <ImpersonateDialog person={person} close={close} />}
      {shown === 'revoke' && <RevokeDialog person={person} close={close} />}
    </>
  )
}

const toCommand = ({ id, label, keys, run }: Action): Command => ({
  id: `person:${id}`,
  label,
  group: peopleTexts.group,
  keys: keys ? [keys] : [],
  run,
})

function StatusNotice({ person: { status, deactivated_at: at } }: { person: Person }) {
  const { locale } = useMe()
  if (status === 'invited') return <p className={`${styles.notice} ${styles.info}`}>{peopleTexts.invitedNotice}</p>
  if (status !== 'deactivated') return null
  return (
    <p className={`${styles.notice} ${styles.neutral}`}>
      {peopleTexts.deactivatedNotice(at ? formatDate(at, locale) : '')}
    </p>
  )
}
