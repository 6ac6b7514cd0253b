import { writePaper } from './paper-layouts.ts'

/** The customer story of a logistics company, four pages. */
export const writeCaseStudy = (): Buffer =>
  writePaper({
    title: 'Forecast within four percent',
    label: 'Customer story',
    subtitle: 'How a logistics company with 1,200 employees replaced three spreadsheets by one pipeline.',
    hasColoredCover: true,
    cover: [
      {
        facts: [
          { value: '4 %', label: 'deviation of the forecast after two quarters' },
          { value: '30 %', label: 'less time for reports' },
          { value: '11', label: 'weeks from kick-off to the first forecast call' },
        ],
      },
      {
        text: 'Northgate Logistics moves goods for 900 customers in seven countries. Sixty sellers work in three regions, and each region had a process of its own.',
      },
    ],
    pages: [
      {
        heading: 'Three regions, three spreadsheets',
        blocks: [
          {
            text: 'Every Monday the heads of sales sent their numbers to headquarters. Two analysts copied them into one file, asked questions by email and finished on Wednesday. By then a part of the numbers was wrong.',
          },
          { heading: 'What it cost' },
          {
            points: [
              'Four hours per seller and week for copying data',
              'A forecast that missed the quarter by 18 % on average',
              'Deals without a call for a month, found only at the end of the quarter',
              'Discussions about numbers instead of customers',
            ],
          },
          {
            quote: 'We spent the first half of every meeting on the question whose number was right.',
            by: 'Head of Sales, region Central',
          },
          {
            text: 'The board asked for one forecast for the whole company, with a date: the start of the next fiscal year. That left five months.',
          },
        ],
      },
      {
        heading: 'One pipeline in eleven weeks',
        blocks: [
          {
            text: 'The project began with a workshop of two days. The regions agreed on six stages and on what a deal needs to enter each of them. Everything else stayed as it was.',
          },
          { heading: 'The steps' },
          {
            points: [
              'Weeks 1 to 3: stages, fields and single sign-on',
              'Weeks 4 to 6: import of 4,800 accounts and two years of deals',
              'Weeks 7 to 9: training in groups of ten, in the language of the region',
              'Weeks 10 and 11: forecast calls with live data, spreadsheets read-only',
            ],
          },
          {
            text: 'Buyers noticed the change as well. Offers, contracts and the plan of the project are now in one room per deal, and the seller sees which documents are read.',
          },
          {
            facts: [
              { value: '6', label: 'stages for all regions' },
              { value: '4,800', label: 'accounts imported' },
              { value: '58 of 60', label: 'sellers active in week 11' },
            ],
          },
        ],
      },
      {
        heading: 'The result after two quarters',
        blocks: [
          {
            text: 'The forecast of the second quarter missed the result by 4 %. Reports take a morning instead of three days. Deals without an activity for two weeks are shown to the manager, and half of them continue after one call.',
          },
          {
            quote: 'The number on Monday is the number on Friday. That alone was worth the project.',
            by: 'Chief Financial Officer',
          },
          { heading: 'What comes next' },
          {
            points: [
              'Renewals in the same pipeline, 120 days ahead',
              'Rooms for onboarding, led by customer success',
              'A shared library, so that the regions use the same documents',
            ],
          },
          { heading: 'What they would do again' },
          {
            text: 'Decide on the stages first, and in one room. Move the region that is least convinced in the second place, not in the last. Switch the spreadsheets to read-only on a fixed day.',
          },
        ],
      },
    ],
  })
