#include "ExplainJson.h"

#include "forge/Codegen/KernelWork.h"

#include <cmath>

using namespace forge;
using namespace forge::tool;
using Json = nlohmann::ordered_json;

bool tool::isBoundByMemory(const KernelWork &work, const GPUChip &chip) {
  return memorySeconds(work, chip) >= arithmeticSeconds(work, chip);
}

/// Fields with their values.
static Json scheduleJson(ScheduleAttr schedule) {
  Json fields = Json::object();
  for (mlir::NamedAttribute entry : schedule.getFields()) {
    std::string name = entry.getName().str();
    if (std::optional<int64_t> size = schedule.findSize(name);
        size && !llvm::isa<mlir::BoolAttr>(entry.getValue()))
      fields[name] = *size;
    else
      fields[name] = schedule.findWord(name).str();
  }
  return fields;
}

static Json workJson(const KernelExplanation &kernel, const GPUChip &chip) {
  const KernelWork &work = *kernel.work;
  return {{"bytes_read", work.bytesRead},
          {"bytes_written", work.bytesWritten},
          {"flops", work.flops},
          {"needed_flops", std::llround(neededFlops(kernel, chip))},
          {"floor_us", floorSeconds(kernel, chip) * 1e6},
          {"bound_by", isBoundByMemory(work, chip) ? "memory" : "arithmetic"}};
}

static Json offerJson(const Offer &offer, const KernelExplanation &kernel) {
  Json json = {{"strategy", offer.strategy->name.str()},
               {"chosen", offer.strategy->name == kernel.schedule.strategy()}};
  if (!offer)
    json["why_not"] = offer.whyNot;
  else
    json["schedule"] = scheduleJson(offer.schedule);
  if (offer.seconds) {
    json["predicted_us"] = *offer.seconds * 1e6;
    json["work_us"] = *offer.workSeconds * 1e6;
  }
  return json;
}

static void addMeasurement(Json &json, const KernelExplanation &kernel,
                           const KernelMeasurement &measurement, const GPUChip &chip) {
  json["measured"] = measurementJson(kernel, measurement, chip);
  for (auto [way, seconds] : llvm::zip_equal(json["ways"], measurement.offerSeconds))
    if (seconds)
      way["measured_us"] = *seconds * 1e6;
}

static Json fitJson(const ScheduleFit &fit, const GPUChip &chip) {
  Json json = {{"tiles", fit.tiles},
               {"waves", fit.waves(chip)},
               {"idle_share", fit.idleShare(chip)},
               {"padding", fit.padding}};
  if (fit.threads > 0) {
    Occupancy occupancy = fit.occupancy(chip);
    json["threads"] = fit.threads;
    json["blocks_at_once"] = occupancy.blocks;
    json["limited_by"] = occupancy.limit.str();
  }
  if (fit.registers > 0)
    json["registers"] = fit.registers;
  if (fit.sharedBytes > 0)
    json["shared_bytes"] = fit.sharedBytes;
  if (fit.seconds)
    json["estimated_us"] = *fit.seconds * 1e6;
  json["text"] = fit.describe(chip);
  return json;
}

static Json choiceJson(const ScheduleChoice &choice, const GPUChip &chip) {
  Json json = {{"rule", choice.rule}, {"steps", Json::array()}};
  if (choice.fit)
    json["fit"] = fitJson(*choice.fit, chip);
  for (const ScheduleStep &step : choice.steps) {
    Json one = {{"field", step.field}, {"change", step.change}, {"verdict", judge(step, choice)}};
    one["legal"] = bool(step.schedule);
    if (step.fit)
      one["fit"] = fitJson(*step.fit, chip);
    json["steps"].push_back(one);
  }
  return json;
}

Json tool::explainJson(const std::vector<KernelExplanation> &kernels, const GPUChip &chip,
                       bool alternatives, const Findings &findings) {
  Json list = Json::array();
  for (auto [number, kernel] : llvm::enumerate(kernels)) {
    Json json = {{"name", kernel.name},
                 {"hash", kernel.hash},
                 {"launches", kernel.launches},
                 {"schedule", scheduleJson(kernel.schedule)}};
    if (!kernel.planned.empty())
      json["planned_in"] = kernel.planned;
    if (kernel.byDefault)
      json["default_schedule"] = scheduleJson(kernel.byDefault);
    if (kernel.byDefault)
      json["other_bits"] = kernel.otherBits ? Json(*kernel.otherBits) : Json();
    if (kernel.isJoined)
      json["joined"] = true;
    if (kernel.fallback)
      json["fallback_schedule"] = scheduleJson(kernel.fallback);
    if (kernel.fallbackByDefault)
      json["default_fallback_schedule"] = scheduleJson(kernel.fallbackByDefault);
    json["places"] = kernel.places;
    json["work"] = kernel.work ? workJson(kernel, chip) : Json();
    json["ways"] = Json::array();
    for (const Offer &offer : kernel.offers)
      json["ways"].push_back(offerJson(offer, kernel));
    json["choice"] = choiceJson(kernel.choice, chip);
    if (const KernelOccupancy *occupancy = findings.occupancy(kernel.name))
      json["occupancy"] = occupancyJson(*occupancy);
    if (const KernelMeasurement *measurement = findings.measurement(number))
      addMeasurement(json, kernel, *measurement, chip);
    if (alternatives) {
      json["alternatives"] = Json::array();
      for (ScheduleAttr other : kernel.alternatives)
        json["alternatives"].push_back(scheduleJson(other));
    }
    list.push_back(json);
  }
  return {{"chip", chip.name.str()},
          {"measured_ceilings", chip.hasMeasuredCeilings},
          {"kernels", list}};
}
