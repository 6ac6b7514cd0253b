import { daysLater } from '#platform/clock'
import { writePdf } from './pdf-writer.ts'
import {
  barsSlide,
  cardsSlide,
  figuresSlide,
  peopleSlide,
  slideSize,
  tableSlide,
  timelineSlide,
  titleSlide,
} from './slide-layouts.ts'

const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const validDays = 28

/** The proposal of the deal "Group contract", ten slides. */
export function writeProposal(now: Date): Buffer {
  const footer = `Group contract · Proposal, ${month.format(now)}`
  return writePdf('Group contract, proposal for Falconridge Capital', slideSize, [
    titleSlide(
      'Group contract',
      'Proposal for Falconridge Capital',
      `${month.format(now)} · valid until ${day.format(daysLater(now, validDays))}`,
    ),
    cardsSlide('What we heard', footer, [
      { title: 'Two planning tools', text: 'Three regions plan in two systems and compare the numbers by hand.' },
      { title: 'Slow month end', text: 'Finance needs nine days to close the books and reports with a delay.' },
      { title: 'No single sign-on', text: 'IT creates 240 accounts by hand and removes them late.' },
      { title: 'Board date', text: 'The board decides this quarter, so that the rollout starts in the new year.' },
    ]),
    figuresSlide('What changes', footer, {
      figures: [
        { value: '9 to 3', label: 'days to close the month' },
        { value: '1', label: 'planning system for three regions' },
        { value: '0', label: 'accounts created by hand' },
      ],
      text: 'The numbers come from the workshop with finance. We check them together after the first full month and after the first quarter.',
    }),
    tableSlide('Scope', footer, {
      columns: [
        { name: 'Part', right: 0 },
        { name: 'North', right: 540 },
        { name: 'Central', right: 684 },
        { name: 'South', right: 828 },
      ],
      rows: [
        ['Planning', 'Yes', 'Yes', 'Yes'],
        ['Reporting for finance', 'Yes', 'Yes', 'Yes'],
        ['Single sign-on', 'Yes', 'Yes', 'Yes'],
        ['Data migration', 'Yes', 'Later', 'Yes'],
        ['Training on site', '2 days', '3 days', '2 days'],
      ],
      note: 'Central keeps its history in the current system until the end of the year.',
    }),
    timelineSlide('Rollout in twelve weeks', footer, {
      weeks: 12,
      phases: [
        { name: 'Set up and sign-on', from: 1, to: 3 },
        { name: 'North', from: 3, to: 5 },
        { name: 'Central', from: 5, to: 8 },
        { name: 'South', from: 8, to: 10 },
        { name: 'Review with finance', from: 11, to: 12 },
      ],
    }),
    tableSlide('Price', footer, {
      columns: [
        { name: 'Item', right: 0 },
        { name: 'Quantity', right: 480 },
        { name: 'Per unit', right: 640 },
        { name: 'Per year', right: 828 },
      ],
      rows: [
        ['Planning, named users', '240', '€ 410', '€ 98,400'],
        ['Reporting for finance', '1', '€ 18,000', '€ 18,000'],
        ['Support, answer within four hours', '1', '€ 19,200', '€ 19,200'],
        ['Discount, 36 months', '', '', '– € 7,600'],
      ],
      total: ['Total per year', '', '', '€ 128,000'],
      note: 'Prices without VAT. Billed once a year, in advance. Price fixed for 36 months.',
    }),
    barsSlide('Return in the first year', footer, {
      bars: [
        { label: 'Month 1', value: 40, isPast: true },
        { label: 'Month 2', value: 95, isPast: true },
        { label: 'Month 3', value: 180, isPast: true },
        { label: 'Month 5', value: 420 },
        { label: 'Month 7', value: 700 },
        { label: 'Month 9', value: 1_010 },
        { label: 'Month 12', value: 1_480 },
      ],
      caption: 'Saved hours of planners and finance, cumulative. Gray: rollout.',
    }),
    peopleSlide('Who works with you', footer, [
      {
        name: 'Priya Nair',
        task: 'Contract and offer',
        text: 'Your contact until the contract is signed, and for every question about prices.',
      },
      {
        name: 'Marcus Reid',
        task: 'Rollout',
        text: 'Leads the twelve weeks and reports to your steering group every second Friday.',
      },
      {
        name: 'Grace Sullivan',
        task: 'Support',
        text: 'Your contact after the rollout. Reviews the use with you every quarter.',
      },
    ]),
    cardsSlide('Security and service', footer, [
      { title: 'Data in the EU', text: 'Frankfurt and Dublin. Backups every night, restored as a test every quarter.' },
      { title: 'Encryption', text: 'In transit and at rest, with a key of its own for every customer.' },
      { title: 'Availability', text: '99.9 % per month, with a credit of 10 % for every full hour below.' },
      { title: 'Exit', text: 'All data as open files within 30 days, deleted 60 days after the end.' },
    ]),
    tableSlide('Next steps', footer, {
      columns: [
        { name: 'Step', right: 0 },
        { name: 'Who', right: 620 },
        { name: 'When', right: 828 },
      ],
      rows: [
        ['Legal comments on the contract', 'Julia Fontaine', 'This week'],
        ['Final contract', 'Priya Nair', 'Two days later'],
        ['Board decision', 'Paul Griffin', 'Next week'],
        ['Kick-off of the rollout', 'Marcus Reid', 'First week of the new year'],
      ],
      note: 'The plan in the room has the exact dates. It is the version that counts.',
    }),
  ])
}
