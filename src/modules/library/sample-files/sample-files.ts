import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SampleStep } from '#platform/module'
import { writeCaseStudy } from './case-study.ts'
import { writeContractDraft } from './contract-draft.ts'
import { onboardingPlan } from './onboarding-plan.ts'
import { writeProposal } from './proposal.ts'
import { writeSecurityPaper } from './security-paper.ts'

export type SampleFileName =
  | 'proposal'
  | 'contract'
  | 'caseStudy'
  | 'securityPaper'
  | 'onboardingPlan'
  | 'architecture'
  | 'demo'

type SampleFile = {
  filename: string
  type: NonNullable<SampleStep['file']>['type']
  pages?: number
  /** Duration of a video. */
  seconds?: number
  write(now: Date): Buffer
}

const readFile = (name: string) => readFileSync(join(import.meta.dirname, name))

export const sampleFiles: Record<SampleFileName, SampleFile> = {
  proposal: { filename: 'Proposal.pdf', type: 'pdf', pages: 10, write: writeProposal },
  contract: { filename: 'Contract draft.pdf', type: 'pdf', pages: 6, write: writeContractDraft },
  caseStudy: { filename: 'Customer story.pdf', type: 'pdf', pages: 4, write: writeCaseStudy },
  securityPaper: { filename: 'Security paper.pdf', type: 'pdf', pages: 9, write: writeSecurityPaper },
  onboardingPlan: { filename: 'Onboarding plan.md', type: 'md', write: () => Buffer.from(onboardingPlan) },
  architecture: { filename: 'Architecture.png', type: 'png', write: () => readFile('architecture.png') },
  demo: { filename: 'Demo.mp4', type: 'mp4', seconds: 24, write: () => readFile('product-demo.mp4') },
}
