import assert from 'node:assert/strict'
import { systemActor } from '#platform/access'
import { inSnapshot } from '#platform/db'
import { readExportRows } from '../../src/modules/surveys/results/exports/export-survey.jobs.ts'
import { type Division, type Figure, findRevealed, type Step } from './adversary.ts'
import { archiveSurvey } from './archived-survey.ts'
import type { Answered, PlayedSurvey, World } from './played-survey.ts'

type Headline = { promoters: number; passives: number; detractors: number; n: number }

/** Reads everything about a survey that an admin may read, and knows which respondents are behind a figure. */
export function observe({ app, acme, inAcme }: World, survey: PlayedSurvey) {
  const { respondents, k } = survey
  const steps: Step[] = []
  const divisions: Division[] = []
  const monthOfStep = new Map<string, string>()
  let known = ''
  /** The respondents of the branch: a restored survey begins again. */
  let firstOfBranch = 0

  const setOf = (isIn: (one: Answered) => boolean): bigint =>
    respondents.reduce((set, one, index) => (isIn(one) ? set | (1n << BigInt(index)) : set), 0n)
  const marked = (marks: ReadonlySet<string>) => setOf(({ mark }) => marks.has(mark))
  const sizeOf = (set: bigint) => set.toString(2).replaceAll('0', '').length
  const scoresIn = (set: bigint) => respondents.filter((_, index) => (set >> BigInt(index)) & 1n)
  const marksIn = (text: string) => new Set(text.match(/Mark \d+-\d+ of an answer/g))

  /** Fails if a figure is not that of the respondents that the test expects, because the search would be about others. */
  function assertScores(name: string, { n, promoters, passives, detractors }: Headline, set: bigint): void {
    const scores = scoresIn(set).map(({ answers }) => answers.score)
    const expected = [
      scores.length,
      scores.filter((score) => score >= 9).length,
      scores.filter((score) => score >= 7 && score < 9).length,
      scores.filter((score) => score < 7).length,
    ]
    assert.deepEqual([n, promoters, passives, detractors], expected, `the figure ${name} is of other respondents`)
  }

  async function readMarks(table: string, condition = 'true'): Promise<Set<string>> {
    const { rows } = await acme.sql(
      `select t::text as text from surveys.${table} as t where tenant_id = $1 and survey_id = $2 and ${condition}`,
      [acme.id, survey.id],
    )
    return new Set(
      rows.flatMap(({ text }) => [...(text.match(/(?<!Note of |Boss of )Mark \d+-\d+ of an answer/g) ?? [])]),
    )
  }

  /** After every answer: the score may have changed. */
  async function readScore(): Promise<void> {
    const { rows } = await acme.sql('select score_counts::text as text from surveys.counters where survey_id = $1', [
      survey.id,
    ])
    if (rows[0].text === known) return
    known = rows[0].text
    const { headline } = (await acme.viewer.get(survey.url)).body
    if (headline === null) return
    const counted = await readMarks('unreleased_responses', 'is_counted')
    for (const mark of counted) if (!monthOfStep.has(mark)) monthOfStep.set(mark, survey.month())
    const set = marked(counted)
    assertScores('of the open survey', headline, set)
    steps.push({ set, candidates: setOf((one) => respondents.indexOf(one) >= firstOfBranch) })
  }

  async function listExported(): Promise<string[][]> {
    const lines: string[][] = []
    await inSnapshot(app.db, systemActor(acme.id), async (tx) => {
      for await (const cells of readExportRows(tx, survey.id, () => {}))
        lines.push(cells.map((cell) => String(cell ?? '')))
    })
    return lines
  }

  /** Everything except figures, in which no answer may occur before the end. */
  async function readTexts(): Promise<string> {
    const pages = await Promise.all(
      [survey.url, `${survey.url}/analytics`, `${survey.url}/responses`, `/api/admin/audit-log?limit=50`].map((url) =>
        acme.admin.get(url),
      ),
    )
    const archive = await inAcme((tx) => archiveSurvey(tx, app.services.registry.tables, survey.id))
    const { rows } = await acme.sql(
      `select t::text as text from platform.outbox_events as t where tenant_id = $1
       union all select t::text from platform.notifications as t where tenant_id = $1`,
      [acme.id],
    )
    const texts = [...pages, ...(rows as { text: string }[])].map(({ text }) => text)
    return [...texts, archive.readable, JSON.stringify(await listExported())].join('\n')
  }

  async function readWhileOpen(): Promise<void> {
    await readScore()
    assert.deepEqual([...marksIn(await readTexts())], [], 'an answer to the open survey is shown')
    const { body } = await acme.viewer.get(`${survey.url}/analytics`)
    assert.deepEqual([body.questions, body.trend, body.groups], [null, null, null])
  }

  async function readAfterEnd(): Promise<void> {
    const published = await readMarks('answers')
    const all: Figure = { name: 'all', set: marked(published) }
    const isIn = (one: Answered) => published.has(one.mark)
    const { body } = await acme.viewer.get(`${survey.url}/analytics`)
    if (body.headline === null) return assert.deepEqual([body.questions, all.set], [null, 0n])
    assertScores('of the end', body.headline, all.set)
    for (const grouping of ['language', 'channel', 'lifecycle_stage', 'segment'] as const) {
      const { status, body: grouped } = await acme.viewer.get(`${survey.url}/analytics?group_by=${grouping}`)
      if (status !== 200 || grouping === 'segment') continue
      const parts = grouped.groups.map(({ key, ...headline }: Headline & { key: string }) => {
        const set = setOf((one) => isIn(one) && one[grouping] === key)
        assertScores(key, headline, set)
        return { name: key, set }
      })
      divisions.push({ whole: all, parts })
    }
    const monthOf = (one: Answered) =>
      survey.breakdown === 'none' ? (monthOfStep.get(one.mark) ?? survey.month()) : one.month
    const months = body.trend.filter(({ n }: { n: number | null }) => n)
    const parts = months.map(({ period_start_on: month, n }: { period_start_on: string; n: number }) => {
      const set = setOf((one) => isIn(one) && monthOf(one) === month)
      assert.equal(n, sizeOf(set), `the figure of ${month} is of other respondents`)
      return { name: month, set }
    })
    divisions.push({ whole: all, parts })
    await readRows(all, isIn, body.questions)
  }

  type Question = { key: keyof Answered['answers']; answered: number; skipped: number }

  /** Rows with the same choices are a group, and a question is a group of those who answered it. */
  async function readRows(all: Figure, isIn: (one: Answered) => boolean, questions: Question[]): Promise<void> {
    const [header, ...lines] = await listExported()
    const column = (line: string[], key: string) => line[header!.indexOf(key)] ?? ''
    const archive = await inAcme((tx) => archiveSurvey(tx, app.services.registry.tables, survey.id))
    for (const text of [archive.readable, JSON.stringify(lines)])
      for (const mark of marksIn(text)) assert.ok(isIn(respondents.find((one) => one.mark === mark)!), mark)
    const withMark = lines.filter((line) => marksIn(column(line, 'reason')).size)
    const same = Map.groupBy(withMark, (line) => `${column(line, 'team')} ${column(line, 'boss') && 'with boss'}`)
    const rows = [...same].map(([name, own]) => ({
      name: `rows ${name}`,
      set: marked(marksIn(own.map((line) => column(line, 'reason')).join())),
    }))
    const chosen = rows.filter(({ name }) => name !== 'rows  ')
    divisions.push({ whole: all, parts: chosen })
    for (const { key, answered, skipped } of questions) {
      const set = setOf((one) => isIn(one) && one.answers[key] !== undefined)
      const seen = setOf((one) => isIn(one) && (key !== 'boss' || one.answers.team === 'legal'))
      assert.deepEqual([answered, skipped], [sizeOf(set), sizeOf(seen) - sizeOf(set)], `figures of ${key}`)
      const name = `answers to ${key}`
      const parts = key === 'team' ? chosen.map((one) => ({ name: one.name, set: one.set & set })) : []
      questionFigures.push(
        { whole: { name, set }, parts },
        { whole: { name: `askings of ${key}`, set: seen }, parts: [] },
      )
    }
  }
  const questionFigures: Division[] = []

  return {
    readScore,
    readWhileOpen,
    readAfterEnd,
    startBranch() {
      firstOfBranch = respondents.length
      known = ''
    },
    findRevealed: () =>
      findRevealed(respondents, k, { divisions, steps }) ??
      questionFigures
        .map((division) => findRevealed(respondents, k, { divisions: [division], steps: [] }))
        .find((found) => found !== undefined),
  }
}
