import { KeyRound } from 'lucide-react'
import { useActionState } from 'react'
import { isProblem } from '../api/problem.ts'
import { sessionState, signInAgain } from '../api/session.ts'
import { useStore } from '../api/store.ts'
import { sessionTexts } from '../texts/en/session-texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { useMe } from './me.ts'
import { signOut } from './sign-out.ts'

/** Asks for the password when the session has ended. The page behind it stays as it is. */
export function SessionDialogs() {
  const state = useStore(sessionState)
  return state === 'expired' ? <SignInAgainDialog /> : null
}

function SignInAgainDialog() {
  const me = useMe()
  const [error, submit, isPending] = useActionState(async (_: string | undefined, form: FormData) => {
    try {
      await signInAgain(me.email, String(form.get('password')))
      return undefined
    } catch (problem) {
      return sessionTexts.problem(isProblem(problem) ? problem.code : 'unreachable')
    }
  }, undefined)
  return (
    <Dialog title={sessionTexts.title}>
      <p>
        <KeyRound size={16} aria-hidden="true" /> {sessionTexts.nothingLost}
      </p>
      <form action={submit}>
        <TextField
          label={sessionTexts.password(me.email)}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={error}
          autoFocus
        />
        <Button type="submit" variant="primary" disabled={isPending}>
          {sessionTexts.signIn(me.name)}
        </Button>
        <Button variant="quiet" onClick={() => void signOut()}>
          {sessionTexts.signOut}
        </Button>
      </form>
    </Dialog>
  )
}
