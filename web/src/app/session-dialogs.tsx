import { ExternalLink, KeyRound } from 'lucide-react'
import { useState } from 'react'
import { sessionState, signInAgain, signOut } from '../api/session.ts'
import { useStore } from '../api/store.ts'
import { FormMessage } from '../patterns/form-message.tsx'
import { useForm } from '../patterns/use-form.ts'
import { type Me, useMe } from '../session/me.ts'
import { sessionTexts } from '../texts/en/session-texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import styles from './session-dialogs.module.css'

/** Asks for a new sign-in when the session has ended. The page behind it stays as it is. */
export function SessionDialogs() {
  const state = useStore(sessionState)
  const me = useMe()
  if (state !== 'expired') return null
  const hasPassword = me.auth_methods?.includes('password') ?? true
  return (
    <Dialog title={sessionTexts.title}>
      <p className={styles.note}>
        <KeyRound size={16} aria-hidden="true" />
        {sessionTexts.nothingLost}
      </p>
      {hasPassword ? <PasswordForm me={me} /> : <OtherTab me={me} />}
      <Button variant="quiet" onClick={() => void signOut()}>
        {sessionTexts.signOut}
      </Button>
    </Dialog>
  )
}

function PasswordForm({ me: { email, name } }: { me: Me }) {
  const form = useForm((data) => signInAgain(email, String(data.get('password'))), sessionTexts.problem)
  return (
    <form className={styles.form} onSubmit={form.onSubmit}>
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <TextField
        label={sessionTexts.password(email)}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        error={form.errors.password}
      />
      <FormMessage form={form} />
      <Button type="submit" variant="primary" disabled={form.isPending}>
        {sessionTexts.signIn(name)}
      </Button>
    </form>
  )
}

/** A user of single sign-on signs in in a new tab, which passes its session on to this one. */
function OtherTab({ me: { name } }: { me: Me }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <p>{sessionTexts.inNewTab}</p>
      <Button
        variant="primary"
        icon={<ExternalLink size={15} />}
        onClick={() => {
          window.open('/login', '_blank', 'noopener')
          setOpen(true)
        }}
      >
        {sessionTexts.signIn(name)}
      </Button>
      {isOpen && <p role="status">{sessionTexts.waiting}</p>}
    </>
  )
}
