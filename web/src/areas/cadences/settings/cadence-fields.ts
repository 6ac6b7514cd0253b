import { readWindow } from '../../../patterns/schedule-picker/schedule-picker.tsx'
import type { Cadence } from '../cadence-queries.ts'

/** The settings of a cadence, as its form has them. */
export const fieldsOf = (cadence: Cadence) => ({
  name: cadence.name,
  description: cadence.description,
  owner_id: cadence.owner_id,
  campaign_id: cadence.campaign_id,
  window: cadence.window,
  timezone_mode: cadence.timezone_mode,
  timezone: cadence.timezone,
  exit_on: cadence.exit_on,
  reenroll_after_days: cadence.reenroll_after_days,
  track_clicks: cadence.track_clicks,
  track_opens: cadence.track_opens,
})

export type CadenceFields = ReturnType<typeof fieldsOf>

const readText = (data: FormData, name: string) =>
  String(data.get(name) ?? '')
    .replaceAll('\r\n', '\n')
    .trim() || null

export const readFields = (data: FormData): CadenceFields => ({
  name: String(data.get('name')).trim(),
  description: readText(data, 'description'),
  owner_id: readText(data, 'owner_id'),
  campaign_id: readText(data, 'campaign_id'),
  window: readWindow(data, 'window') as CadenceFields['window'],
  timezone_mode: data.get('timezone_mode') as CadenceFields['timezone_mode'],
  timezone: readText(data, 'timezone'),
  exit_on: { reply: data.has('exit_reply'), meeting: data.has('exit_meeting'), bounce: data.has('exit_bounce') },
  reenroll_after_days: data.get('again') === 'after' ? Number(data.get('again_days')) : null,
  track_clicks: data.has('track_clicks'),
  track_opens: data.has('track_opens'),
})
