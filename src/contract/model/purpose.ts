import { z } from 'zod'

/**
 * Why a record is read: codes of HL7 v3 PurposeOfUse (2.16.840.1.113883.1.11.20448). People who read beyond their own caseload
 * send one in the `Purpose-Of-Use` header.
 */
export const purposeOfUseSchema = z.enum([
  // treatment
  'TREAT',
  'CAREMGT',
  'CLINTRL',
  'COC',
  'ETREAT',
  'BTG',
  'ERTREAT',
  'POPHLTH',
  // payment
  'HPAYMT',
  'CLMATTCH',
  'COVAUTH',
  'COVERAGE',
  'ELIGDTRM',
  'ELIGVER',
  'ENROLLM',
  'REMITADV',
  // health care operations
  'HOPERAT',
  'DONAT',
  'FRAUD',
  'GOV',
  'HACCRED',
  'HCOMPL',
  'HDECD',
  'HDIRECT',
  'HDM',
  'HLEGAL',
  'HOUTCOMS',
  'HPRGRP',
  'HQUALIMP',
  'HSYSADMIN',
  'MEMADMIN',
  'PATADMIN',
  'PATSFTY',
  'PERFMSR',
  'RECORDMGT',
  'TRAIN',
  // others
  'HRESCH',
  'PATRQT',
  'FAMRQT',
  'PWATRNY',
  'SUPNWK',
  'PUBHLTH',
  'DISASTER',
  'THREAT',
])

export type PurposeOfUse = z.infer<typeof purposeOfUseSchema>
