import { useState } from 'react'
import { areaKeys } from '../../../api/area-keys.ts'
import { api, read } from '../../../api/client.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { useTimeZones } from '../../../patterns/choices/time-zones.ts'
import type { Choice } from '../../../patterns/combobox/use-combobox.ts'
import { FormConflict, FormMessage } from '../../../patterns/form-message.tsx'
import { findUsers } from '../../../patterns/person-picker.tsx'
import { SchedulePicker } from '../../../patterns/schedule-picker/schedule-picker.tsx'
import { useRecordForm } from '../../../patterns/use-record-form.ts'
import { useMe } from '../../../session/me.ts'
import { cadenceSettingTexts as texts } from '../../../texts/en/cadence-setting-texts.ts'
import { cadenceTexts } from '../../../texts/en/cadence-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, SelectField, TextArea, TextField } from '../../../ui/field.tsx'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { type Cadence, changeCadence, loadCadence, storeCadence } from '../cadence-queries.ts'
import { fieldsOf, readFields } from './cadence-fields.ts'
import { ChoiceField } from './choice-field.tsx'
import styles from './settings.module.css'

/** The settings of a cadence: who it belongs to, when it sends, and what ends it. */
export function SettingsForm({ cadence }: { cadence: Cadence }) {
  const form = useRecordForm({
    record: cadence,
    fieldsOf,
    readFields,
    send: (changes, version) => changeCadence(cadence.id, version, changes),
    reload: () => loadCadence(cadence.id),
    onSaved: storeCadence,
    describe: cadenceTexts.problem,
  })
  const { base, errors } = form
  return (
    <form key={form.formKey} ref={form.element} className={styles.content} onSubmit={form.onSubmit}>
      <Card title={texts.general}>
        <TextField
          label={texts.fields.name}
          name="name"
          required
          maxLength={150}
          defaultValue={base.name}
          error={errors.name}
        />
        <TextArea
          label={texts.fields.description}
          name="description"
          maxLength={5_000}
          defaultValue={base.description ?? ''}
          error={errors.description}
        />
        <div className={styles.pair}>
          <ChoiceField
            label={texts.fields.owner_id}
            name="owner_id"
            initial={base.owner}
            queryKey={queryKeys.users.picker}
            find={findUsers}
            hint={texts.ownerHint}
            error={errors.owner_id}
          />
          <ChoiceField
            label={texts.fields.campaign_id}
            name="campaign_id"
            initial={base.campaign}
            queryKey={areaKeys.cadences.campaignSearch}
            find={findCampaigns}
            hint={texts.campaignHint}
            error={errors.campaign_id}
          />
        </div>
      </Card>
      <Card title={texts.sending}>
        <WindowFields cadence={base} error={errors['window.end'] ?? errors.window} />
        <Tracking cadence={base} />
      </Card>
      <Card title={texts.limits}>
        <EndFields cadence={base} error={errors.reenroll_after_days} />
      </Card>
      <FormMessage form={form} />
      <FormConflict form={form} labels={texts.fields} />
      <div className={styles.actions}>
        <Button type="submit" variant="primary" disabled={form.isPending}>
          {texts.save}
        </Button>
      </div>
    </form>
  )
}

const Card = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <section className={styles.card} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
)

async function findCampaigns(text: string, signal: AbortSignal): Promise<Choice[]> {
  const query = { search: text || undefined, limit: 20, count: 'none' as const }
  const { items } = await read(api.GET('/api/campaigns/', { params: { query }, signal }))
  return items.map(({ id, name }) => ({ id, name }))
}

function WindowFields({ cadence, error }: { cadence: Cadence; error: string | undefined }) {
  const me = useMe()
  const { timezone: workspaceZone } = me.tenant.general
  const zones = useTimeZones(cadence.timezone ?? workspaceZone)
  const options = [{ value: '', label: texts.workspaceZone(workspaceZone.replaceAll('_', ' ')) }, ...zones]
  return (
    <>
      <SchedulePicker
        label={texts.windowTitle}
        name="window"
        initial={cadence.window}
        locale={me.locale}
        error={error}
      />
      <RadioGroup
        label={texts.fields.timezone_mode}
        name="timezone_mode"
        defaultValue={cadence.timezone_mode}
        options={(['person', 'fixed'] as const).map((value) => ({ value, ...texts.zones[value] }))}
      />
      <SelectField label={texts.zone} name="timezone" options={options} defaultValue={cadence.timezone ?? ''} />
    </>
  )
}

const Tracking = ({ cadence }: { cadence: Cadence }) => (
  <fieldset className={styles.group}>
    <legend>{texts.tracking}</legend>
    <Checkbox label={texts.trackClicks} name="track_clicks" defaultChecked={cadence.track_clicks} />
    <Checkbox label={texts.trackOpens} name="track_opens" defaultChecked={cadence.track_opens} />
    <p className={styles.soft}>{texts.trackHint}</p>
  </fieldset>
)

const defaultDays = 90

function EndFields({ cadence, error }: { cadence: Cadence; error: string | undefined }) {
  const { exit_on: exits, reenroll_after_days: days } = cadence
  const [again, setAgain] = useState(days === null ? 'never' : 'after')
  return (
    <>
      <fieldset className={styles.group}>
        <legend>{texts.fields.exit_on}</legend>
        {(['reply', 'meeting', 'bounce'] as const).map((name) => (
          <Checkbox key={name} label={texts.exits[name]} name={`exit_${name}`} defaultChecked={exits[name]} />
        ))}
      </fieldset>
      <div className={styles.pair}>
        <SelectField
          label={texts.again}
          name="again"
          value={again}
          onChange={({ target }) => setAgain(target.value)}
          options={[
            { value: 'never', label: texts.againNever },
            { value: 'after', label: texts.againAfter },
          ]}
        />
        {again === 'after' && (
          <TextField
            label={texts.againDays}
            name="again_days"
            type="number"
            min={1}
            max={3_650}
            required
            defaultValue={String(days ?? defaultDays)}
            error={error}
          />
        )}
      </div>
    </>
  )
}
