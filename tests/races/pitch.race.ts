import { setTimeout as sleep } from 'node:timers/promises'
import {
  createPractice,
  createPrompt,
  createTake,
  pitchFiles,
  pitchUrl,
  review,
  scoresOf,
  submitTake,
} from '../../src/modules/pitches/pitches.fixture.ts'
import { mp4 } from '../../src/platform/files/formats/sample-files.fixture.ts'
import { type Race, runConcurrently, type TestApp, type TestWorkspace } from './race.ts'

type Response = { status: number; body?: { code?: string } }

async function prepare(app: TestApp, fields: object = {}) {
  const acme = await app.tenant()
  const createOwn = () => createPrompt(acme, { assign: { user_ids: [acme.member.userId] }, max_takes: 20, ...fields })
  return { acme, createOwn, ...pitchFiles(app, acme) }
}

const describe = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join(' ')
const codeOf = ({ status, body }: Response) => (status < 300 ? String(status) : `${status} ${body?.code}`)

/** Reads a submission with its assignment, in one statement. */
async function readPitch({ sql }: TestWorkspace, id: string) {
  const { rows } = await sql(
    `select submission.status, evaluation_state, claim_id, ai_score, human_score::float8, final_score::float8, passed,
       assignment.status as assignment, assignment.best_submission_id = submission.id as is_best,
       (select count(*)::int from enablement.pitch_reviews where submission_id = submission.id) as reviews
     from enablement.pitch_submissions submission left join enablement.pitch_assignments assignment
       on assignment.prompt_id = submission.prompt_id and assignment.user_id = submission.user_id
     where submission.id = $1`,
    [id],
  )
  return rows[0]
}

export const takesAtOnce: Race = {
  name: 'enablement-6-8 two takes of a prompt created at once',
  minRuns: 20,
  async prepare(app) {
    const { acme, createOwn } = await prepare(app)
    return async () => {
      const prompt = await createOwn()
      const transcript = Math.random() < 0.5 ? { transcript: 'Hello.' } : {}

      const create = (fields: object) => acme.member.post(`${prompt.url}/submissions`, fields)
      const responses = (await runConcurrently(
        () => create({}),
        () => create(transcript),
      )) as [Response, Response]

      const codes = responses.map(codeOf)
      const { rows } = await acme.sql(
        'select take_no, status from enablement.pitch_submissions where prompt_id = $1 order by take_no',
        [prompt.id],
      )
      const created = codes.filter((code) => code === '201').length
      const isNumbered = rows.every(({ take_no }, index) => take_no === index + 1) && rows.length === created
      const drafts = rows.filter(({ status }) => status === 'draft').length
      if (!isNumbered || drafts > 1 || codes.some((code) => !['201', '409 draft_exists'].includes(code)))
        return { violation: describe(codes, rows) }
      return { outcome: created === 2 ? 'transcript first' : `${codes.indexOf('201') ? 'second' : 'first'} only` }
    }
  },
}

export const reviewsAtOnce: Race = {
  name: 'enablement-6-4 two reviews of a pitch that needs both',
  minRuns: 20,
  async prepare(app) {
    const { acme, createOwn } = await prepare(app, { min_reviews: 2 })
    return async () => {
      const take = await submitTake(acme.member, await createOwn())

      const responses = (await runConcurrently(
        () => review(acme.manager, take, { scores: scoresOf(80, 85) }),
        () => review(acme.admin, take, { scores: scoresOf(80, 70) }),
      )) as [Response, Response]

      const pitch = await readPitch(acme, take.id)
      const { rows } = await acme.sql(
        `select type from platform.outbox_events where subject_id = $1 and type = 'pitch_submission.reviewed'`,
        [take.id],
      )
      const isComplete = pitch.status === 'reviewed' && pitch.final_score === 79 && pitch.reviews === 2
      if (!isComplete || pitch.assignment !== 'done' || !pitch.is_best || rows.length !== 1)
        return { violation: describe(responses.map(codeOf), pitch, rows) }
      const { body } = await acme.member.get(take.url)
      return { outcome: body.reviews[0].score === 82 ? 'manager first' : 'admin first' }
    }
  },
}

export const reviewAgainstUpload: Race = {
  name: 'enablement-6-3 a review racing with the upload of the recording',
  minRuns: 20,
  async prepare(app) {
    const { acme, createOwn, upload } = await prepare(app)
    return async () => {
      const take = await createTake(acme.member, await createOwn())

      const [uploaded, reviewed] = (await runConcurrently(
        () => upload(acme.member, take.id, { content: mp4, transcript: 'Hello.' }),
        async () => {
          // An upload takes more steps than a review before it locks the submission.
          await sleep(Math.random() * 60)
          return await review(acme.manager, take)
        },
      )) as [Response, Response]

      const pitch = await readPitch(acme, take.id)
      const codes = [uploaded, reviewed].map(codeOf)
      const isReviewed = codes[1] === '201'
      const expected = isReviewed ? 'reviewed' : 'submitted'
      if (codes[0] !== '201' || (!isReviewed && codes[1] !== '409 not_submitted') || pitch.status !== expected)
        return { violation: describe(codes, pitch) }
      return { outcome: isReviewed ? 'upload first' : 'review first' }
    }
  },
}

export const evaluationsAtOnce: Race = {
  name: 'enablement-6-1 a pitch evaluated twice at once',
  minRuns: 20,
  async prepare(app) {
    const { acme, createOwn } = await prepare(app, { min_reviews: 0 })
    return async () => {
      const take = await submitTake(acme.member, await createOwn())

      const evaluate = async (user: TestWorkspace['member']) => {
        await sleep(Math.random() * 20)
        return await user.post(`${take.url}/evaluate`)
      }
      const responses = (await runConcurrently(
        () => evaluate(acme.member),
        () => evaluate(acme.manager),
      )) as [Response, Response]

      const codes = responses.map(codeOf)
      const pitch = await readPitch(acme, take.id)
      const evaluated = codes.filter((code) => code === '200').length
      const isKnown = codes.every((code) => code === '200' || code === '409 evaluation_running')
      if (!isKnown || !evaluated || pitch.evaluation_state !== 'done' || pitch.claim_id || pitch.status !== 'reviewed')
        return { violation: describe(codes, pitch) }
      return { outcome: evaluated === 2 ? 'one after the other' : `${codes.indexOf('200') ? 'second' : 'first'} only` }
    }
  },
}

export const deletionAgainstDownload: Race = {
  name: 'enablement-6-10 the deletion of practice racing with a ranged download',
  minRuns: 20,
  async prepare(app) {
    const { acme, upload, download } = await prepare(app)
    return async () => {
      const practice = await createPractice(acme.member)
      await upload(acme.member, practice.id, { content: mp4 })

      const [part, removed] = await runConcurrently(
        async () => {
          // A deletion takes more statements than the lookup of the file.
          await sleep(Math.random() * 40)
          return await download(acme.member, practice.id, { range: 'bytes=4-11' })
        },
        () => acme.member.delete(practice.url),
      )

      const after = await download(acme.member, practice.id)
      const isServed = part.status === 206 && part.bytes.equals(mp4.subarray(4, 12))
      if (removed.status !== 204 || after.status !== 404 || (!isServed && part.status !== 404))
        return { violation: describe(part.status, removed.status, after.status) }
      const { body } = await acme.member.get(`${pitchUrl}my-submissions`)
      if (body.items.length) return { violation: describe(body.items) }
      return { outcome: isServed ? 'download first' : 'deletion first' }
    }
  },
}
