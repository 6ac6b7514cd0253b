import type { Defect } from './defect.ts'

const rules = 'src/modules/surveys/responses/anonymity/anonymity.rules.ts'
const tests = ['tests/anonymity/anonymity.test.ts']

/** Each removes one measure that protects the answers to anonymous surveys. */
export const anonymityDefects: readonly Defect[] = [
  {
    name: 'answers of other addresses count as those of persons',
    file: rules,
    find: 'respondents.filter(({ is_person }) => is_person).length',
    replace: 'respondents.length',
    tests,
  },
  {
    name: 'the groups that are shown reveal the hidden one',
    file: rules,
    find: 'while (shown.length && !areEnough(hidden',
    replace: 'while (!shown && !areEnough(hidden',
    tests,
  },
  {
    name: 'rows of an anonymous survey show rare choices',
    file: rules,
    find: '!hidden.has(combination) || !details.has(question_id)',
    replace: 'hidden.size >= 0 || !details.has(question_id)',
    tests,
  },
  {
    name: 'a question that few have answered is shown',
    file: rules,
    find: 'areEnough(seen) && areEnough(seen.filter(({ is_answered }) => is_answered))',
    replace: 'areEnough([])',
    tests,
  },
  {
    name: 'the score of an open anonymous survey contains each answer at once',
    file: 'src/modules/surveys/responses/responses/release-responses.service.ts',
    find: 'waiting < 2 * survey.min_group_size',
    replace: 'waiting < 1',
    tests,
  },
  {
    name: 'archives contain the answers to open anonymous surveys',
    file: 'src/modules/surveys/surveys.tables.ts',
    find: "'surveys.unreleased_responses': { export: 'skip', clean: 'business', personal: ['answers'] },",
    replace: "'surveys.unreleased_responses': businessData,",
    tests,
  },
  {
    name: 'the end of an anonymous survey shows a rest that is too small',
    file: 'src/modules/surveys/responses/responses/publish-results.service.ts',
    find: 'isLargeEnough(rows, min_group_size) && isLargeEnough(scored, min_group_size) ? rows : []',
    replace: 'isLargeEnough(scored, 0) ? rows : []',
    tests,
  },
]
