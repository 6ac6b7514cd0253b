import type { Defect } from './defect.ts'

const tests = ['tests/outreach/outreach.test.ts']

export const outreachDefects: readonly Defect[] = [
  {
    name: 'the window and the limits of a cadence email are checked only when it is queued',
    file: 'src/modules/marketing/cadences/cadence-sending/cadence-email.ts',
    find: 'return isInTime(run, context.times.timesOf(cadence, enrollment), context) ? undefined : { skip: notSentInTime }',
    replace: 'return undefined',
    tests,
  },
  {
    name: 'a reply does not end the cadences of the person',
    file: 'src/modules/marketing/cadences/cadence-sending/replies.service.ts',
    find: 'isLiveEnrollment(one) && cadenceOf(one).exit_on.reply',
    replace: 'false',
    tests,
  },
  {
    name: 'a restore keeps cadences active',
    file: 'src/modules/marketing/cadences/cadence-restore/stop-restored-cadences.service.ts',
    find: '[...active, ...waiting]',
    replace: 'waiting',
    tests,
  },
]
