// npm run seed:big -- --leads 1000000: fills the database in .dev/big for npm run bench -- leads.
import { parseArgs } from 'node:util'
import { fillBigDatabase } from './big/fill.ts'

const { values } = parseArgs({
  options: {
    leads: { type: 'string', default: '1000000' },
    compared: { type: 'string', default: '10000' },
    others: { type: 'string', default: '999' },
    each: { type: 'string', default: '1000' },
  },
})
const size = {
  leads: Number(values.leads),
  compared: Number(values.compared),
  others: Number(values.others),
  each: Number(values.each),
}
const start = performance.now()
console.log(
  `one workspace with ${size.leads} leads, one with ${size.compared}, ${size.others} others with ${size.each} each`,
)
await fillBigDatabase(size, { report: console.log })
console.log(`filled in ${((performance.now() - start) / 60_000).toFixed(1)} minutes`)
