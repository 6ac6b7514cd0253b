import assert from 'node:assert/strict'
import { createWorkspaceModelReader } from '#modules/identity'
import { createModelClient, createRealtimeClient } from '#platform/ai'
import { startTestApp } from '#testing'
import { type ProviderBehavior, startModelServer } from '../../../platform/ai/model-server.stand-in.ts'
import { type SpeechBehavior, startSpeechServer } from '../../../platform/ai/speech-server.stand-in.ts'
import { type Acme, createScenario } from '../coaching.fixture.ts'

export const roleplayUrl = (id: string) => `/api/enablement/coaching/roleplay/${id}`

/** A persona whose secrets contain markers. */
export const secretive = {
  background: 'MARKER-background',
  traits: { talkativeness: 5, technical_depth: 5 },
  goals: ['Less manual work'],
  pains: ['Late reports'],
  facts: ['tool', 'team', 'budget', 'deadline'].map((key) => ({
    key,
    topic: key,
    text: `MARKER-fact-${key}.`,
    reveal_keywords: [key],
  })),
  objections: ['price', 'time'].map((key) => ({
    key,
    topic: key,
    text: `MARKER-objection-${key}.`,
    triggers: [`${key} list`],
    good_responses: ['savings'],
  })),
}

/** Six messages of a seller who asks, handles an objection and proposes a next step. */
export const conversation = [
  'Hello. What tool do you use today?',
  'How big is your team?',
  'I see. We automate the reports, and your colleagues get them every morning.',
  'I understand. What would the savings have to be for you?',
  'Which budget do you have for it?',
  'Let us schedule a call on Tuesday at 10:00.',
]

const timeoutMs = 1_000

type AppOptions = { onLine?: (line: string) => void }

/** Starts the application with short timeouts of models and voice providers. */
export async function startModelApp({ onLine }: AppOptions = {}) {
  const app = await startTestApp(
    { SAFE_FETCH_ALLOW_PRIVATE: 'true', ...(onLine && { LOG_LEVEL: 'info' }) },
    {
      ...(onLine && { onLine }),
      prepare: (services) => {
        const readModel = createWorkspaceModelReader(services.secrets)
        services.models = createModelClient({ ...services, readModel, timeoutMs })
        services.realtime = createRealtimeClient({ ...services, timeoutMs })
      },
    },
  )

  async function configureModel(acme: Acme, ...behaviors: [ProviderBehavior, ...ProviderBehavior[]]) {
    const server = await startModelServer(...behaviors)
    const ai = { provider: 'openai_compatible', model: 'llama-3', base_url: 'https://models.example.com/v1' }
    const { status } = await acme.admin.patch(settingsUrl, { ai: { ...ai, api_key: 'sk-of-acme' } })
    assert.equal(status, 200)
    await replaceBaseUrl(acme, 'ai', '{base_url}', server.baseUrl)
    return server
  }

  async function configureVoice(acme: Acme, ...behaviors: (SpeechBehavior | undefined)[]) {
    const server = await startSpeechServer({ behaviors })
    const voice = { base_url: 'https://voice.example.com/v1', model: 'realtime-1', api_key: 'sk-voice' }
    const { status } = await acme.admin.patch(settingsUrl, { enablement_media: { voice } })
    assert.equal(status, 200)
    await replaceBaseUrl(acme, 'enablement_media', '{voice,base_url}', server.baseUrl)
    return server
  }

  return { ...app, ...roleplayActions, configureModel, configureVoice }
}

const settingsUrl = '/api/admin/settings'

/** The settings accept https URLs only, and the stand-ins have no certificate. */
const replaceBaseUrl = (acme: Acme, section: string, path: string, baseUrl: string) =>
  acme.sql(
    `update identity.tenant_settings set doc = jsonb_set(doc, $3::text[], to_jsonb($4::text)) where tenant_id = $1 and section = $2`,
    [acme.id, section, path, baseUrl],
  )

export const startRoleplayApp = async () => ({ ...(await startTestApp()), ...roleplayActions })

async function start(user: Acme['member'], scenario: { url: string }, options: object = {}) {
  const { status, body, text } = await user.post(`${scenario.url}/roleplay/start`, options)
  assert.equal(status, 201, text)
  return { ...body, url: roleplayUrl(body.id) }
}

async function send(user: Acme['member'], roleplay: { url: string }, text: string, fields: object = {}) {
  const response = await user.post(`${roleplay.url}/message`, { text, ...fields })
  assert.equal(response.status, 200, response.text)
  return response.body
}

const createExercise = (acme: Acme, fields: object = {}) => createScenario(acme, { persona: secretive, ...fields })

async function converse(user: Acme['member'], roleplay: { url: string }, texts: readonly string[] = conversation) {
  const replies: string[] = []
  for (const text of texts) replies.push((await send(user, roleplay, text)).buyer_message.text)
  return replies
}

const finish = (user: Acme['member'], roleplay: { url: string }, body: object = {}) =>
  user.post(`${roleplay.url}/finish`, body)

export const roleplayActions = { start, send, converse, finish, createExercise }
