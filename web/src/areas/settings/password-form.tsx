import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import { storeToken } from '../../api/token.ts'
import { FormMessage } from '../../patterns/form-message.tsx'
import { useForm } from '../../patterns/use-form.ts'
import { useMe } from '../../session/me.ts'
import { profileTexts } from '../../texts/en/settings-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './settings.module.css'
import { apiKeysQuery, sessionsQuery } from './settings-queries.ts'

export function PasswordForm() {
  const me = useMe()
  const [formKey, setFormKey] = useState(0)
  const form = useForm(async (data) => {
    const body = {
      current_password: String(data.get('current_password')),
      new_password: String(data.get('new_password')),
      revoke_api_keys: data.has('revoke_api_keys'),
      refresh_token_delivery: 'cookie' as const,
    }
    const changed = await read(api.POST('/api/auth/change-password', { body }))
    // The password change has revoked the session of the former token.
    storeToken(changed)
    showToast(profileTexts.passwordSaved(changed.sessions_revoked))
    setFormKey((key) => key + 1)
    await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    await queryClient.invalidateQueries({ queryKey: apiKeysQuery(me.id).queryKey })
  })
  const methods = me.auth_methods ?? ['password']
  if (!methods.includes('password')) return <p className={styles.soft}>{profileTexts.noPassword(methods.join(', '))}</p>
  return (
    <form key={formKey} className={styles.form} onSubmit={form.onSubmit}>
      <input type="email" autoComplete="username" value={me.email} readOnly hidden />
      <div className={styles.pair}>
        <TextField
          label={profileTexts.currentPassword}
          name="current_password"
          type="password"
          autoComplete="current-password"
          required
          maxLength={1024}
          error={form.errors.current_password}
        />
        <TextField
          label={profileTexts.newPassword}
          name="new_password"
          type="password"
          autoComplete="new-password"
          required
          maxLength={128}
          error={form.errors.new_password}
        />
      </div>
      <Checkbox label={profileTexts.revokeKeys} name="revoke_api_keys" />
      <FormMessage form={form} />
      <div className={styles.formActions}>
        <Button type="submit" disabled={form.isPending}>
          {profileTexts.savePassword}
        </Button>
      </div>
    </form>
  )
}
