import { useMemo } from 'react'
import { isEqual } from '../../api/merge-fields.ts'
import { useTimeZones } from '../../patterns/choices/time-zones.ts'
import { FormConflict, FormMessage } from '../../patterns/form-message.tsx'
import { useRecordForm } from '../../patterns/use-record-form.ts'
import { type Me, storeMe, useMe } from '../../session/me.ts'
import { followProfile } from '../../session/page-language.ts'
import { profileTexts, settingsTexts } from '../../texts/en/settings-texts.ts'
import { shellTexts } from '../../texts/en/shell-texts.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Card, SectionHeader } from './card.tsx'
import { listLocales } from './choices.ts'
import { PasswordForm } from './password-form.tsx'
import styles from './settings.module.css'
import { readMe, updateProfile } from './settings-queries.ts'

const fieldsOf = ({ name, title, phone, timezone, locale }: Me) => ({ name, title, phone, timezone, locale })

const readFields = (data: FormData): ReturnType<typeof fieldsOf> => ({
  name: String(data.get('name')).trim(),
  title: String(data.get('title')).trim() || null,
  phone: String(data.get('phone')).trim() || null,
  timezone: String(data.get('timezone')),
  locale: String(data.get('locale')),
})

export const ProfileSection = () => (
  <>
    <SectionHeader title={settingsTexts.sections.profile} text={profileTexts.text} />
    <Card title={profileTexts.personal}>
      <ProfileForm />
    </Card>
    <Card title={profileTexts.password} text={profileTexts.passwordText}>
      <PasswordForm />
    </Card>
  </>
)

/** Loads the page again in the new language, but not while it has values that are not saved. */
function showLanguage(isTyped: boolean): void {
  const reload = () => location.reload()
  if (isTyped) showToast(profileTexts.languageLater, { action: { label: shellTexts.reload, run: reload } })
  else reload()
}

const hasTypedValues = (form: HTMLFormElement, saved: Me): boolean =>
  !isEqual(readFields(new FormData(form)), fieldsOf(saved)) ||
  [...document.querySelectorAll<HTMLInputElement>('input[type=password]')].some(({ value }) => value !== '')

function ProfileForm() {
  const me = useMe()
  const form = useRecordForm({
    record: me,
    fieldsOf,
    readFields,
    send: async (changes, version): Promise<Me> => {
      const saved = await updateProfile(version, changes)
      return { ...me, ...saved, must_change_password: me.must_change_password }
    },
    reload: readMe,
    onSaved: (saved) => {
      storeMe(saved)
      if (followProfile(saved.locale)) showLanguage(hasTypedValues(form.element.current!, saved))
    },
  })
  const { base, errors } = form
  const { fields } = profileTexts
  const timeZones = useTimeZones(base.timezone)
  const locales = useMemo(() => listLocales(base.locale), [base.locale])
  return (
    <form key={form.formKey} ref={form.element} className={styles.form} onSubmit={form.onSubmit}>
      <TextField
        label={fields.name}
        name="name"
        autoComplete="name"
        defaultValue={base.name}
        required
        maxLength={120}
        error={errors.name}
      />
      <TextField label={profileTexts.email} value={me.email} readOnly hint={profileTexts.emailHint} />
      <div className={styles.pair}>
        <TextField
          label={fields.title}
          name="title"
          autoComplete="organization-title"
          defaultValue={base.title ?? ''}
          maxLength={120}
          error={errors.title}
        />
        <TextField
          label={fields.phone}
          name="phone"
          type="tel"
          autoComplete="tel"
          defaultValue={base.phone ?? ''}
          maxLength={40}
          error={errors.phone}
        />
      </div>
      <div className={styles.pair}>
        <SelectField
          label={fields.timezone}
          name="timezone"
          defaultValue={base.timezone}
          options={timeZones}
          error={errors.timezone}
        />
        <SelectField
          label={fields.locale}
          name="locale"
          defaultValue={base.locale}
          options={locales}
          hint={profileTexts.localeHint}
          error={errors.locale}
        />
      </div>
      <FormMessage form={form} />
      <FormConflict form={form} labels={fields} />
      <div className={styles.formActions}>
        <Button type="submit" variant="primary" disabled={form.isPending}>
          {profileTexts.save}
        </Button>
      </div>
    </form>
  )
}
