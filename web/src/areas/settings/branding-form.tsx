import { useState } from 'react'
import { queryClient } from '../../api/queries.ts'
import { FormConflict, FormMessage } from '../../patterns/form-message.tsx'
import { useRecordForm } from '../../patterns/use-record-form.ts'
import { useMe } from '../../session/me.ts'
import { workspaceTexts } from '../../texts/en/settings-texts.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { BrandPreview } from './brand-preview.tsx'
import styles from './settings.module.css'
import { adoptSettings, readSettings, type Settings, settingsQuery, updateSettings } from './settings-queries.ts'

type Branding = Pick<Settings['branding'], 'primary_color' | 'email_from_name' | 'email_footer'>

const fieldsOf = ({ branding: { primary_color, email_from_name, email_footer } }: Settings): Branding => ({
  primary_color,
  email_from_name,
  email_footer,
})

const readText = (data: FormData, name: string) => String(data.get(name)).replaceAll('\r\n', '\n').trim() || null

const readFields = (data: FormData): Branding => ({
  primary_color: readText(data, 'primary_color')?.toLowerCase() ?? null,
  email_from_name: readText(data, 'email_from_name'),
  email_footer: readText(data, 'email_footer'),
})

export function BrandingForm({ settings }: { settings: Settings }) {
  const me = useMe()
  const form = useRecordForm({
    record: settings,
    fieldsOf,
    readFields,
    send: (branding, version) => updateSettings(version, { branding }),
    reload: readSettings,
    onSaved: (saved) => {
      queryClient.setQueryData(settingsQuery.queryKey, saved)
      adoptSettings(me, saved)
    },
  })
  const { branding } = form.base
  const { fields } = workspaceTexts
  const errorOf = (name: keyof Branding) => form.errors[`branding.${name}`]
  return (
    <form key={form.formKey} ref={form.element} className={styles.form} onSubmit={form.onSubmit}>
      <ColorField initial={branding.primary_color ?? ''} error={errorOf('primary_color')} />
      <TextField
        label={fields.email_from_name}
        name="email_from_name"
        defaultValue={branding.email_from_name ?? ''}
        maxLength={78}
        hint={workspaceTexts.fromNameHint}
        error={errorOf('email_from_name')}
      />
      <TextArea
        label={fields.email_footer}
        name="email_footer"
        defaultValue={branding.email_footer ?? ''}
        maxLength={500}
        error={errorOf('email_footer')}
      />
      <FormMessage form={form} />
      <FormConflict form={form} labels={fields} />
      <div className={styles.formActions}>
        <Button type="submit" variant="primary" disabled={form.isPending}>
          {workspaceTexts.save}
        </Button>
      </div>
    </form>
  )
}

const standardColor = '#1f4fd8'

function ColorField({ initial, error }: { initial: string; error: string | undefined }) {
  const [color, setColor] = useState(initial)
  return (
    <>
      <div className={styles.color}>
        <TextField
          label={workspaceTexts.fields.primary_color}
          name="primary_color"
          value={color}
          onChange={(event) => setColor(event.target.value)}
          pattern="#[0-9a-fA-F]{6}"
          title="#0a7cff"
          placeholder="#0a7cff"
          hint={workspaceTexts.colorHint}
          error={error}
        />
        <input
          type="color"
          aria-label={workspaceTexts.chooseColor}
          className={styles.swatch}
          value={/^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : standardColor}
          onChange={(event) => setColor(event.target.value)}
        />
        <Button variant="quiet" className={styles.standard} disabled={color === ''} onClick={() => setColor('')}>
          {workspaceTexts.standardColor}
        </Button>
      </div>
      <BrandPreview color={color} />
    </>
  )
}
