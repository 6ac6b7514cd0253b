import { useQuery } from '@tanstack/react-query'
import { areaKeys } from '../api/area-keys.ts'
import { api, read } from '../api/client.ts'
import { FormDialog } from '../patterns/form-dialog.tsx'
import { useForm } from '../patterns/use-form.ts'
import { useMe } from '../session/me.ts'
import type { PasswordQuestion } from '../session/reauthenticate.ts'
import { reauthenticateTexts } from '../texts/en/reauthenticate-texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import styles from './reauthenticate.module.css'

type DialogProps = { question: PasswordQuestion; close: () => void }

export function ReauthenticationDialog({ question, close }: DialogProps) {
  const me = useMe()
  const hasPassword = me.auth_methods?.includes('password') ?? true
  return hasPassword ? (
    <PasswordDialog question={question} close={close} email={me.email} />
  ) : (
    <ProviderDialog close={close} />
  )
}

function PasswordDialog({ question: { confirm }, close, email }: DialogProps & { email: string }) {
  const form = useForm(async (data) => {
    await read(api.POST('/api/auth/reauthenticate', { body: { password: String(data.get('password')) } }))
    confirm()
  })
  return (
    <FormDialog title={reauthenticateTexts.title} submit={reauthenticateTexts.confirm} form={form} close={close}>
      <p>{reauthenticateTexts.text}</p>
      <TextField
        label={reauthenticateTexts.password(email)}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        error={form.errors.password}
      />
    </FormDialog>
  )
}

/** A user without a password signs in again at the provider, which leaves the page. */
function ProviderDialog({ close }: Pick<DialogProps, 'close'>) {
  const me = useMe()
  const { data } = useQuery({
    queryKey: areaKeys.signInProviders,
    queryFn: () => read(api.GET('/api/auth/sso/providers')),
    staleTime: 300_000,
  })
  const returnTo = encodeURIComponent(location.pathname + location.search)
  const providers = data?.providers.filter(({ name, enabled }) => enabled && me.auth_methods?.includes(name)) ?? []
  return (
    <Dialog title={reauthenticateTexts.title} close={close}>
      <p>{reauthenticateTexts.atProvider}</p>
      {providers.map(({ name, display_name, start_url }) => (
        <a key={name} className={styles.provider} href={`${start_url}?prompt=login&return_to=${returnTo}`}>
          {reauthenticateTexts.continueWith(display_name)}
        </a>
      ))}
    </Dialog>
  )
}
