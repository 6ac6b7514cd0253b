import { type Block, writePaper } from './paper-layouts.ts'

type Clause = readonly [title: string, ...paragraphs: string[]]
const clauses = (first: number, ...given: readonly Clause[]): Block[] =>
  given.flatMap(([title, ...paragraphs], index) => [
    { heading: `${first + index}  ${title}` },
    ...paragraphs.map((text) => ({ text })),
  ])

/** The draft of a contract for review, six pages. */
export const writeContractDraft = (): Buffer =>
  writePaper({
    title: 'Master service agreement',
    label: 'Draft 2, for review',
    subtitle: 'Between the supplier and Falconridge Capital. Open points are marked in the text.',
    cover: clauses(
      1,
      [
        'Subject of the agreement',
        'The supplier provides the planning and reporting service as described in appendix A to all companies of the group. The customer may add companies that it controls; they use the service under this agreement.',
      ],
      [
        'Term and termination',
        'The agreement begins with the signature of both parties and has a term of 36 months. It continues for twelve months at a time unless a party terminates it in writing 90 days before the end.',
        'Either party may terminate for good cause, in particular if the other party does not remedy a serious breach within 30 days.',
      ],
    ),
    pages: [
      {
        heading: 'Service and prices',
        blocks: clauses(
          3,
          [
            'Service',
            'The service is available 99.9 % of each month. Planned maintenance is announced seven days ahead, takes place at night and does not count.',
            'For every full hour below this level the customer receives a credit of 10 % of the monthly price, up to 50 %.',
          ],
          [
            'Prices and payment',
            'The price per year is stated in appendix B and fixed for the term. Invoices are due within 30 days. Additional users are charged pro rata at the same price per user.',
          ],
          [
            'Changes',
            'The supplier may improve the service but must not remove functions that appendix A names. Open point: notice period for changes of interfaces, proposed are six months.',
          ],
        ),
      },
      {
        heading: 'Duties and rights',
        blocks: clauses(
          6,
          [
            'Duties of the customer',
            'The customer names a contact, provides the data for the migration in the agreed format and manages the rights of its users.',
          ],
          [
            'Rights of use',
            'The customer receives the right, limited to the term, to use the service in its group. The customer remains the owner of all its data.',
          ],
          [
            'Support',
            'Requests are answered within four hours on working days, and within one hour at all times if the service is not available.',
          ],
        ),
      },
      {
        heading: 'Data protection and security',
        blocks: clauses(
          9,
          [
            'Data protection',
            'The supplier processes personal data on behalf of the customer, in the European Union only. Appendix C contains the agreement on data processing.',
          ],
          [
            'Security',
            'The measures of the security paper are part of this agreement. The supplier may replace them by measures that protect at least as well.',
            'The customer may audit the measures once a year, or accept the report of an independent auditor.',
          ],
          [
            'Confidentiality',
            'Both parties keep confidential what they learn about each other, for five years after the end of the agreement.',
          ],
        ),
      },
      {
        heading: 'Liability and end',
        blocks: clauses(
          12,
          [
            'Liability',
            'The supplier is liable without limit for intent and gross negligence. In all other cases liability is limited to the price of one year per contract year. Open point: proposed by the customer is the price of two years.',
          ],
          [
            'End of the agreement',
            'The supplier provides all data as open files within 30 days after the end, and deletes it within 60 days. The customer receives a confirmation in writing.',
          ],
          [
            'Final provisions',
            'Changes of this agreement must be in writing. The place of jurisdiction is London. If a provision is void, the others remain in effect.',
          ],
        ),
      },
      {
        heading: 'Appendix B: prices',
        blocks: [
          {
            facts: [
              { value: '240', label: 'named users' },
              { value: '€ 128,000', label: 'per year, without VAT' },
              { value: '36', label: 'months, fixed price' },
            ],
          },
          {
            points: [
              'Planning, 240 named users: € 98,400',
              'Reporting for finance: € 18,000',
              'Support with an answer within four hours: € 19,200',
              'Discount for 36 months: € 7,600',
            ],
          },
          { heading: 'Signatures' },
          { text: 'For Falconridge Capital: ________________________________' },
          { text: 'For the supplier: ________________________________' },
        ],
      },
    ],
  })
