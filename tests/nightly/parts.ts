/** A part of `npm run nightly`. */
export type Part = {
  name: string
  /** The script of package.json that it runs. A part without its script is left out. */
  script: string
  /** The command, which can be repeated by hand. */
  command: string
  /** About three times the minutes it takes on two idle cores. */
  maxMinutes: number
}

/** Test files of modules with a short version in the build. */
const shortenedFiles = [
  'src/modules/crm/records/filters/search.test.ts',
  'src/modules/marketing/enrichment/hostile-values.test.ts',
]

/**
 * Lists the parts in the order in which they run. Numbers are chosen so that all take about an hour on two idle cores. Larger ones
 * are run by hand: `npm run races` (5,000 runs), `npm run soak` (up to 100,000 records), `npm run fuzz -- --runs 200000`, and
 * `npm run seed:big -- --leads 1000000` with `npm run bench -- leads`.
 */
export function listParts(seed: number): Part[] {
  const testFile = 'NIGHTLY=true npm test --'
  const parts: [name: string, script: string, command: string, maxMinutes: number][] = [
    ['matrix', 'matrix', 'npm run -s matrix', 20],
    ['canary', 'canary', 'npm run -s canary', 10],
    ['hostile', 'hostile', `HOSTILE_SEED=${seed} npm run -s hostile`, 20],
    ['fuzz', 'fuzz', `npm run -s fuzz -- --runs 20000 --seed ${seed}`, 30],
    ['races', 'races', 'npm run -s races -- 100', 30],
    ['outreach', 'outreach', `npm run -s outreach -- 10000 ${seed}`, 30],
    [
      'anonymity',
      'anonymity',
      `ANONYMITY_SURVEYS=2000 ANONYMITY_SEED=${seed} npm test -- tests/anonymity/anonymity.test.ts`,
      90,
    ],
    ['soaks', 'soak', "npm run -s soak -- '' nightly", 40],
    ['modules', 'test', `${testFile} ${shortenedFiles.join(' ')}`, 15],
    ['big', 'test', `${testFile} tests/big/big.nightly.ts`, 10],
    ['dev', 'test', `${testFile} tests/pages/development.test.ts`, 15],
    ['large-file', 'large-file', 'npm run -s large-file', 10],
    ['large-video', 'large-video', 'npm run -s large-video', 10],
    ['large-csv', 'large-csv', 'npm run -s large-csv', 10],
    ['large-audit', 'large-audit', 'npm run -s large-audit', 20],
    ['large-forecast', 'large-forecast', 'npm run -s large-forecast', 20],
    ['large-opt-out', 'large-opt-out', 'npm run -s large-opt-out', 10],
    ['large-unique', 'large-unique', 'npm run -s large-unique', 20],
    ['large-import', 'large-import', 'npm run -s large-import', 20],
    ['large-suppressions', 'large-suppressions', 'npm run -s large-suppressions', 10],
    ['attribution', 'attribution', `ATTRIBUTION_SEED=${seed} npm run -s attribution`, 30],
    [
      'consent-histories',
      'consent-histories',
      `HISTORIES=5000 HISTORIES_SEED=${seed} npm test -- src/modules/crm/people/suppressions/consent-histories.test.ts`,
      15,
    ],
    [
      'field-histories',
      'field-histories',
      `FIELD_HISTORIES=5000 FIELD_HISTORIES_SEED=${seed} npm test -- web/src/patterns/record/field-histories.test.ts`,
      10,
    ],
    ['write-histories', 'write-histories', `WRITE_HISTORIES_SEED=${seed} npm run -s write-histories`, 30],
    ['bulk-undo', 'bulk-undo', 'npm run -s bulk-undo', 15],
    ['web-import', 'web-import', 'npm run -s web-import', 10],
    ['screens', 'test', `${testFile} tests/web/screens.test.ts tests/web/languages/languages.test.ts`, 20],
    ['releases', 'test', `${testFile} tests/web/releases/releases.test.ts`, 10],
    ['rules', 'rules', `RULES_SEED=${seed} npm run -s rules`, 15],
    ['plans', 'plans', 'npm run -s plans', 60],
    ['patterns', 'patterns', 'npm run -s patterns -- --verify', 30],
    ['upgrade', 'upgrade', 'npm run -s upgrade', 10],
  ]
  return parts.map(([name, script, command, maxMinutes]) => ({ name, script, command, maxMinutes }))
}

/** Removes parts whose script does not exist and, if names are given, those that are not named. */
export function selectParts(parts: readonly Part[], scripts: object, names: readonly string[]): Part[] {
  const available = parts.filter(({ script }) => script in scripts)
  const unknown = names.filter((name) => !available.some((part) => part.name === name))
  if (unknown.length)
    throw new Error(`Unknown part ${unknown.join(', ')}. Use ${available.map(({ name }) => name).join(', ')}.`)
  return names.length ? available.filter(({ name }) => names.includes(name)) : available
}
