/** Clinical vocabulary of visits with an examination. Seeds from general medical usage, by kind. */
const words = (...lists: readonly string[]): string => lists.join(' ').trim().split(/\s+/).join('|').replaceAll('_', '[ -]')

/** Parts of the body, as patients and clinicians name them. */
export const bodyParts = new RegExp(
  `\\b(?:${words(
    'head neck throat ears? eyes? nose sinus(?:es)? mouth tongue teeth tooth face scalp jaw chest breasts? lungs? heart ribs? back spine shoulders? arms? elbows? forearms? wrists? hands? fingers? thumbs?',
    'abdomen abdominal belly stomach liver spleen kidneys? bladder bowels? groin pelvis pelvic hips? thighs? legs? knees? calf calves ankles? feet foot heels? toes? skin joints? muscles? tendons? ligaments? nerves? lymph_nodes?',
    'thyroid prostate extremit(?:y|ies) lumbar cervical thoracic meniscus achilles rotator_cuff carotids? tympanic pupils?',
  )})\\b`,
  'i',
)

export const bodySymptoms = new RegExp(
  `\\b(?:${words(
    'pain(?:ful|s)? hurts?(?:ing)? ache[sd]? aching sore(?:ness)? tender(?:ness)? stiff(?:ness)? swell(?:ing|s)? swollen numb(?:ness)? tingl(?:e|es|ing) weak(?:ness)? cramp(?:s|ing)? spasms?',
    'fevers? chills? cough(?:s|ing)? phlegm sputum congest(?:ion|ed) wheez(?:e|es|ing) short(?:ness)?_of_breath breathless(?:ness)? breathing palpitations? tremors? shak(?:y|ing) chest_pressure dizz(?:y|iness) light_?-?headed(?:ness)? faint(?:ed|ing)? black(?:ed)?_out',
    'nausea nauseous(?:ness)? nauseated vomit(?:ing|ed)? diarrh(?:o)?ea constipat(?:ion|ed) heartburn reflux bloat(?:ed|ing) blood(?:y)? bleed(?:ing|s)? bruis(?:e|es|ing) rash(?:es)? itch(?:y|ing)? lumps? discharge burning urinat(?:e|ing|ion) frequency urgency',
    'headaches? migraines? blurr(?:y|ed)_vision vision hearing fatigue[d]? tired(?:ness)? exhaust(?:ed|ion) energy appetite weight_(?:loss|gain) lost_weight gained_weight thirst(?:y)? sweat(?:s|ing)? night_sweats insomnia snor(?:e|ing) falls? fell injur(?:y|ed|ies) trauma',
    'sleep(?:ing)? allerg(?:y|ies) symptoms? flare(?:s|_ups?)? limp(?:ing)? mobility',
  )})\\b`,
  'i',
)

export const conditions = new RegExp(
  `\\b(?:${words(
    'hypertension high_blood_pressure diabet(?:es|ic) type_(?:1|2|one|two) cholesterol hyperlipid(?:a)?emia asthma copd emphysema bronchitis pneumonia heart_failure coronary_artery_disease atrial_fibrillation afib arrhythmia murmur angina stroke',
    "arthritis osteoarthritis osteoporosis gout fibromyalgia an(?:a)?emia hypothyroid(?:ism)? hyperthyroid(?:ism)? thyroid_disease reflux gerd ulcers? gastritis colitis crohn's ibs diverticul\\w+ hepatitis cirrhosis gallstones? kidney_(?:disease|stones?) uti infections? cancer tum(?:o)?urs? carcinoma lymphoma leuk(?:a)?emia",
    "migraines? epilepsy seizures? neuropathy parkinson's dementia eczema psoriasis dermatitis acne cellulitis depression anxiety bipolar adhd apn(?:o)?ea sinusitis tonsillitis pharyngitis otitis strains? sprain(?:s|ed)? fractures? torn tears? tendinitis tendonitis tendinopathy bursitis plantar_fasciitis carpal_tunnel sciatica radiculopathy herniat\\w+ disc_disease stenosis contusions?",
    'obesity overweight menopause pregnan(?:t|cy) miscarriage endometriosis hernias? h(?:a)?emorrhoids? glaucoma cataracts? vertigo concussion covid flu influenza viral bacterial syndrome disease disorder diagnos(?:is|ed|es) deficiency',
  )})\\b`,
  'i',
)

/** What an examination finds or does, in the clinician's words. */
export const examination = new RegExp(
  `\\b(?:${words(
    '(?:physical_|on_(?:your_)?)?exam(?:ination)?s? palpat\\w+ percuss\\w+ auscultat\\w+ appreciate tender(?:ness)? crackles? rales rhonchi wheez(?:es|ing) murmurs? gallops? rubs? bruits? regular_rate clear_to breath_sounds bilateral(?:ly)? ed(?:a)?ema pitting distention distended',
    'range_of_motion flexion extension rotation abduction adduction strength reflexes? sensation pulses? gait straight_leg_raise erythema(?:tous)? redness warmth effusion swelling bruising ecchymosis deformit(?:y|ies) crepitus lymph_?adenopathy masses? nodules? lesions? guarding rebound hernia nystagmus',
    '(?:test|sign)_is_(?:positive|negative) positive negative intact alert oriented distress well-appearing jugular venous capillary',
  )})\\b`,
  'i',
)

export const vitals =
  /\b(?:vital signs|vitals|blood pressure|heart rate|pulse|respirat(?:ory|ion) rate|oxygen(?:ation)?|saturation|temperature|weight is|body mass|bmi|afebrile|millimet(?:er|re)s of mercury)\b/i

export const tests =
  /\b(?:x-?rays?|imaging|radiograph\w*|mri|ct(?: scan)?|cat scan|ultrasound|echo(?:cardiogram)?|ekgs?|ecg|electrocardiogram|stress test|holter|mammogram|colonoscopy|endoscopy|biops(?:y|ies)|pulmonary function|spirometry|labs?|lab (?:work|results?)|blood ?work|blood (?:test|count)s?|lipid panel|metabolic panel|urinalysis|urine|culture|swab|(?:he)?moglobin|a1c|hematocrit|white (?:blood )?(?:cell )?count|platelets?|creatinine|kidney function|liver (?:function|enzymes?)|cholesterol|ldl|hdl|triglycerides|glucose|blood sugars?|tsh|potassium|sodium|vitamin d|ferritin|psa|results?|ejection fraction|dexa|bone density|emg|eeg|allergy test\w*)\b/i

/** A medicine class or a treatment that is ordered, beside the drug names of the common list. */
export const treatment =
  /\b(?:prescri\w+|medications?|dos(?:e|es|age)|mg\b|milligrams?|micrograms?|tablets?|inhaler|injections?|steroids?|antibiotics?|anti-?inflammator\w+|nsaids?|insulin|vaccin\w+|shots?|cream|ointment|drops|brace|splint|sling|boot|cast|crutches|compression|ice\b|heat\b|elevat\w+|rest\b|exercises?|stretch\w*|physical therapy|physiotherapy|surgery|surgical|procedure|therapy|diet|low[- ]salt|sodium|calories|supplements?|vitamin|iron|refer(?:ral|red|ring)?|specialist|cardiolog\w+|orthop\w+|neurolog\w+|dermatolog\w+|gastroenterolog\w+|endocrinolog\w+|urolog\w+|rheumatolog\w+|pulmonolog\w+|oncolog\w+|nutrition\w*|dietiti?an|follow[- ]?up|come back|return|emergency|consult\w*|monitor\w*|refills?|screening|catheter\w*|dialysis|transfusion|over[- ]the[- ]counter)\b/i

export const background =
  /\b(?:histor(?:y|ies)|year[- ]old|diagnosed|surger(?:y|ies)|smok\w+|drink\w*|alcohol|allerg\w+|mother|father|family|medications?|last (?:seen|visit|time)|presents?|here (?:for|with|today)|complain\w*|follow[- ]?up|years? ago|since|work(?:s|ing)?|retired|married|lives?|exercis\w+|diet)\b/i

export function clinicalWeight(text: string): number {
  return [bodyParts, bodySymptoms, conditions, examination, vitals, tests, treatment].filter((kind) => kind.test(text)).length
}
