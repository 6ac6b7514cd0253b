import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { createWorkspaceModelReader } from '#modules/identity'
import { createModelClient } from '#platform/ai'
import { startTestApp, type TestUser } from '#testing'
import { type ProviderBehavior, startModelServer } from '../../../platform/ai/model-server.stand-in.ts'
import { startSpeechServer } from '../../../platform/ai/speech-server.stand-in.ts'
import { mp4 } from '../../../platform/files/formats/sample-files.fixture.ts'
import { type Acme, createPrompt, createTake, pitchFiles } from '../pitches.fixture.ts'

/** Starts the application with a worker, a short timeout of models and a replaceable ffmpeg. */
export async function startEvaluationApp() {
  const app = await startTestApp(
    { SAFE_FETCH_ALLOW_PRIVATE: 'true' },
    {
      prepare: (services) => {
        const readModel = createWorkspaceModelReader(services.secrets)
        services.models = createModelClient({ ...services, readModel, timeoutMs: 1_000 })
      },
    },
  )
  await app.startTestWorker()
  const tools = await mkdtemp(join(tmpdir(), 'tools-'))
  // Programs run as another user.
  await chmod(tools, 0o755)
  const path = process.env.PATH
  after(async () => {
    process.env.PATH = path
    await rm(tools, { recursive: true, force: true })
  })

  /** A program that stands in for ffmpeg. */
  async function installTool(script: string): Promise<void> {
    await writeFile(join(tools, 'ffmpeg'), `#!/bin/sh\n${script}\n`)
    await chmod(join(tools, 'ffmpeg'), 0o755)
    process.env.PATH = `${tools}:${path}`
  }

  const uploadRecording = async (acme: Acme, user: TestUser, id: string, content = mp4, filename = 'pitch.mp4') => {
    const { status } = await pitchFiles(app, acme).upload(user, id, { content, filename })
    assert.equal(status, 201)
  }

  async function recordTake(acme: Acme, content = mp4, filename = 'pitch.mp4') {
    const take = await createTake(acme.member, await createPrompt(acme))
    await uploadRecording(acme, acme.member, take.id, content, filename)
    return take
  }

  return { ...app, tools, installTool, uploadRecording, recordTake }
}

/** Settings accept https URLs only, and the stand-ins have no certificate. */
async function configure(acme: Acme, section: 'ai' | 'enablement_media', settings: object, path: string, url: string) {
  const { status, text } = await acme.admin.patch('/api/admin/settings', { [section]: settings })
  assert.equal(status, 200, text)
  await acme.sql(
    `update identity.tenant_settings set doc = jsonb_set(doc, $3::text[], to_jsonb($2::text)) where tenant_id = $1 and section = $4`,
    [acme.id, url, path, section],
  )
}

export async function configureTranscription(acme: Acme, options: Parameters<typeof startSpeechServer>[0] = {}) {
  const server = await startSpeechServer(options)
  const provider = { base_url: 'https://speech.example.com/v1', model: 'whisper-1', api_key: 'sk-speech' }
  await configure(acme, 'enablement_media', { transcription: provider }, '{transcription,base_url}', server.baseUrl)
  return server
}

export async function configureModel(acme: Acme, ...behaviors: [ProviderBehavior, ...ProviderBehavior[]]) {
  const server = await startModelServer(...behaviors)
  const base_url = 'https://models.example.com/v1'
  const ai = { provider: 'openai_compatible', model: 'llama-3', base_url, api_key: 'sk-of-acme' }
  await configure(acme, 'ai', ai, '{base_url}', server.baseUrl)
  return server
}
