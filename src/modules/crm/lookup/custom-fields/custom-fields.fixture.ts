import type { Acme } from '../../people/leads/leads.fixture.ts'

export const fieldsUrl = '/api/custom-fields'

/** Creates a custom field of leads unless `input` says otherwise. */
export async function createField(acme: Acme, input: Record<string, unknown>) {
  const label = String(input.key ?? input.label)
  const { status, body } = await acme.manager.post(fieldsUrl, { object_type: 'lead', type: 'text', label, ...input })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

export const options = (...keys: string[]) => keys.map((key) => ({ key, label: key }))

export const createTier = (acme: Acme, input: object = {}) =>
  createField(acme, { key: 'tier', type: 'select', options: options('gold', 'silver'), ...input })

export const errorsOf = ({ body }: { body: { errors?: { path: string; code: string }[] } }) =>
  body.errors?.map(({ path, code }) => `${path} ${code}`)
